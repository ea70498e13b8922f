/** What the page uses of its vendored search. */
export default class MiniSearch {
  constructor(options: object);
  addAll(entries: object[]): void;
  search(words: string, options?: object): { id: any; score: number }[];
}
