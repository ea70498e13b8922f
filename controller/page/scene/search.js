// Looking something up: several words in any order, beginnings of words, slips of the pen; the best answer first.
// What fits is ranked by BM25 (MiniSearch), a word in a title far above one in the text.

import MiniSearch from "../vendored/minisearch.js";

/** Words of a question that say nothing about its subject. */
const EMPTY = new Set("a about am an and are as at be can could do does for from get has have how i if in is it may me my of on or our shall should so than that the their them there they this to us was we what when where which who whose why will with would you your".split(" "));
const ENDINGS = /(\p{L}{3})(?:ing|ed|ers?|es|s)$/u;

/**
 * Make a search over entries. Each has `id`, `title`, perhaps `words` (other names for it, as good as its title) and `text`;
 * the more `weight` it has (1 if not said), the earlier it comes among equals.
 * @param {{id: any, title: string, words?: string, text?: string, weight?: number}[]} entries
 * @returns {(typed: string) => any[]} the ids of what fits, best first
 */
export function createSearch(entries) {
  const weights = new Map(entries.map((one) => [one.id, one.weight ?? 1]));
  const titles = new Map(entries.map((one) => [one.id, words(one.title).join(" ")]));
  const found = new MiniSearch({ fields: ["title", "words", "text"], tokenize: words, processTerm: stem });
  found.addAll(entries.map((one) => ({ words: "", text: "", ...one })));
  return (typed) => {
    const asked = words(typed);
    const meant = asked.filter((word) => !EMPTY.has(word));
    const options = {
      boost: { title: 6, words: 5, text: 1 },
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
      bm25: { k: 1.2, b: 0.2, d: 0.5 }, // all texts are short: a longer one is no worse
      boostDocument: (id) => (weights.get(id) ?? 1) * (titles.get(id) === asked.join(" ") ? 4 : 1),
    };
    return found.search((meant.length ? meant : asked).join(" "), options).map((one) => one.id);
  };
}

/** The words of a text: small letters without accents. */
function words(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

function stem(word) {
  return word.replace(ENDINGS, "$1");
}
