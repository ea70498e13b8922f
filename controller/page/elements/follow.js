// How a drawn ball follows what is told of it: along its way, at a speed that never jumps, a moment behind.
//
// A table tells where a ball is touch by touch. Drawn at once it would jump and wait; so each ball is pulled along its way
// as by a damped spring, which sets off and arrives softly, and is as quick as the touches come.

const QUICKEST = 12; // in 1/s: most of the way is gone in a sixth of a second
const CALMEST = 4.5;
const SMOOTH = 2.4; // of one touch after the other nothing is seen if the spring takes this part of their distance in time
const NEAR = 0.4; // mm: it has arrived
const LONGEST_S = 0.05; // of one frame; whoever looked away is shown where it is now

/**
 * @typedef {{x: number, y: number, leg?: number}} Point of a way; `leg` is which of the slots on its trail it crosses there
 * @typedef {{now: Point, ahead: Point[], speed: number, pull: number, told: number}} Run
 */

/** Make what moves balls; `draw(key, point)` draws one, `arrived(key)` is told when it stands. */
export function createFollow(draw, arrived) {
  /** @type {Map<any, Run>} */
  const runs = new Map();
  let frame = 0;
  let before = 0;

  function tick(now) {
    const seconds = Math.max(0, now - before) / 1000;
    before = now;
    for (const [key, run] of runs) {
      const left = seconds > 10 * LONGEST_S ? 0 : go(run, Math.min(LONGEST_S, seconds));
      if (!left) {
        run.now = run.ahead[run.ahead.length - 1] ?? run.now;
        run.ahead = [];
        run.speed = 0;
        runs.delete(key);
      }
      draw(key, run.now);
      if (!left) arrived(key);
    }
    frame = runs.size ? requestAnimationFrame(tick) : 0;
  }

  return {
    /** Lead a ball along `ahead` from where it is drawn. */
    lead(key, run, ahead) {
      const now = performance.now();
      run.pull = Math.min(QUICKEST, Math.max(CALMEST, (SMOOTH * 1000) / Math.max(1, now - run.told)));
      run.told = now;
      run.ahead = ahead;
      runs.set(key, run);
      if (frame) return;
      before = now;
      frame = requestAnimationFrame(tick);
    },
    /** Nothing more is to come: let a ball arrive. Returns whether it is still on its way. */
    end(key) {
      const run = runs.get(key);
      if (run) run.pull = QUICKEST;
      return Boolean(run);
    },
  };
}

/** A ball that stands at a point. */
export function standing(at) {
  return { now: at, ahead: [], speed: 0, pull: CALMEST, told: -Infinity };
}

/** Move a ball on for so long; returns how far it still has to go, 0 once it is there. */
function go(run, seconds) {
  const left = lengthOf(run);
  run.speed = Math.max(0, run.speed + (run.pull * run.pull * left - 2 * run.pull * run.speed) * seconds);
  let far = Math.min(left, run.speed * seconds);
  while (far > 0 && run.ahead.length) {
    const [next] = run.ahead;
    const leg = Math.hypot(next.x - run.now.x, next.y - run.now.y);
    if (leg > far) {
      const part = far / leg;
      run.now = { x: run.now.x + (next.x - run.now.x) * part, y: run.now.y + (next.y - run.now.y) * part, leg: next.leg };
      break;
    }
    run.now = next;
    run.ahead.shift();
    far -= leg;
  }
  return left - far < NEAR && run.speed < NEAR * 20 ? 0 : left;
}

function lengthOf({ now, ahead }) {
  let length = 0;
  let at = now;
  for (const next of ahead) {
    length += Math.hypot(next.x - at.x, next.y - at.y);
    at = next;
  }
  return length;
}
