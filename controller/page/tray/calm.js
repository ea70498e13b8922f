// Where only results are told, those of the next player stand where those of the one before stood: a tap that was meant for
// these must not play the next turn, too.

import { UNTOUCHED_MS } from "../elements/hold.js";
import { tale } from "../scene/groups.js";

/** What keeps a second tap away from the next player's results. */
export function createCalm() {
  let until = 0;
  let turn = "";
  return {
    /** Look whose results can be told now. */
    see(view, options) {
      const next = options.some(isResult) ? `${view?.active} ${view?.turn}` : "";
      if (turn && next && next !== turn) until = Math.max(until, performance.now() + UNTOUCHED_MS);
      turn = next || turn;
    },
    /** Whether a tap on this option counts; until its answer comes no further one does. */
    takes(option) {
      if (!isResult(option)) return true;
      if (performance.now() < until) return false;
      until = Infinity;
      return true;
    },
    /** The table has answered. */
    answered(option, done) {
      if (isResult(option)) until = performance.now() + (done ? UNTOUCHED_MS : 0);
    },
  };
}

function isResult(option) {
  return tale(option).saw === "nothing";
}
