// Reading a chronicle: what everybody saw at each moment of a finished game. See controller/history/chronicle.py.

/**
 * A moment of a game: what was told, when, and the whole scene then.
 * @typedef {object} Moment
 * @property {number} at_ms
 * @property {{text: string, kind: string, seat?: string}[]} told
 * @property {Scene} scene
 * @property {any} roll the roll that came to rest at this moment, or null
 * @property {Record<string, number> | null} chances how likely each seat was to win (0..1), or null if nobody knows
 * @property {number} nextBall how likely the next ball was to win (0..1)
 */

/**
 * All moments of a chronicle, each with its whole scene.
 * @param {any} chronicle
 * @returns {Moment[]}
 */
export function momentsOf(chronicle) {
  let scene = {};
  let places = {};
  let rolled = null;
  let chances = null;
  let nextBall = 0;
  return chronicle.moments.map((moment) => {
    scene = apply(scene, moment.scene ?? {});
    places = apply(places, moment.places ?? {});
    const whole = /** @type {any} */ ({ ...scene, places: Object.values(places).map(withoutHands) });
    const roll = newBalls(whole.last_roll, rolled);
    rolled = whole.last_roll ?? rolled;
    chances = moment.chances ?? chances;
    nextBall = moment.next_ball ?? nextBall;
    return { at_ms: moment.at_ms, told: moment.told ?? [], scene: whole, roll, chances, nextBall };
  });
}

/** What hands were to do there then is nobody's work any more. */
function withoutHands(place) {
  return ["lift", "put"].includes(place.wants) ? { ...place, wants: "" } : place;
}

/**
 * The numbers of the moments from which one steps to the next: the `rolls` that came to rest; in a game without any,
 * where a turn begins.
 * @param {Moment[]} moments
 */
export function stepsOf(moments) {
  const numbers = [...moments.keys()].slice(1);
  const rolls = numbers.filter((number) => moments[number].roll);
  if (rolls.length) return { rolls: true, steps: rolls };
  return { rolls: false, steps: numbers.filter((number) => moments[number].scene.turn !== moments[number - 1].scene.turn) };
}

/** The roll with those of its balls that have not been seen before: it may have gone on with another ball. */
function newBalls(roll, before) {
  if (!roll) return null;
  const seen = roll.number === before?.number ? before.balls.map((ball) => JSON.stringify(ball)) : [];
  const balls = roll.balls.filter((ball) => !seen.includes(JSON.stringify(ball)));
  return balls.length ? { ...roll, balls } : null;
}

/** What is null in a change is gone, or has no value any more. */
function apply(before, change) {
  const now = { ...before };
  for (const [key, value] of Object.entries(change)) {
    if (value === null && !(key in before)) continue;
    now[key] = value;
  }
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== null || !key.includes(".")));
}
