// How things sound: each sound is a few tones and puffs of noise, made in the phone when it is wanted. No file is fetched.

/**
 * A tone or a puff of noise within a sound.
 * @typedef {object} Part
 * @property {number} hz its pitch; of noise, the middle of the band that is let through
 * @property {number} [to] the pitch it glides to; without one it stays
 * @property {number} [from_s] seconds after the sound begins
 * @property {number} s seconds until it has died away
 * @property {number} level how loud it begins, 0..1
 * @property {OscillatorType | "noise"} [wave] a sine, if nothing is said
 */

/** @type {Record<string, Part[]>} */
export const SOUNDS = {
  touch: [{ hz: 1046.5, s: 0.12, level: 0.2 }, { hz: 2793.8, s: 0.05, level: 0.1 }, { hz: 5200, s: 0.03, level: 0.12, wave: "noise" }],
  bell: [{ hz: 880, s: 0.6, level: 0.16 }, { hz: 1318.5, s: 0.5, level: 0.11 }, { hz: 2217.5, from_s: 0.02, s: 0.35, level: 0.06 }],
  fall: [{ hz: 440, to: 82, s: 0.5, level: 0.26, wave: "triangle" }, { hz: 180, from_s: 0.34, s: 0.2, level: 0.3, wave: "noise" }],
  goal: [{ hz: 784, s: 0.4, level: 0.18, wave: "triangle" }, { hz: 1046.5, from_s: 0.1, s: 0.5, level: 0.18, wave: "triangle" }, { hz: 1568, from_s: 0.2, s: 0.7, level: 0.16, wave: "triangle" }],
  dice: [0, 0.09, 0.17, 0.3, 0.36].map((from_s, number) => ({ hz: 1500 + 260 * (number % 3), from_s, s: 0.05, level: 0.5, wave: "noise" })),
  knock: [{ hz: 240, to: 150, s: 0.12, level: 0.26, wave: "triangle" }, { hz: 900, s: 0.04, level: 0.3, wave: "noise" }],
  turn: [{ hz: 587.3, s: 0.35, level: 0.2 }, { hz: 880, from_s: 0.14, s: 0.5, level: 0.2 }],
  win: [523.25, 659.25, 783.99, 1046.5].map((hz, number) => ({ hz, from_s: 0.16 * number, s: 0.5, level: 0.2, wave: "triangle" })),
  over: [{ hz: 523.25, s: 0.45, level: 0.16, wave: "triangle" }, { hz: 392, from_s: 0.2, s: 0.7, level: 0.16, wave: "triangle" }],
};
const QUIET = 0.0001;
const STEPS = [1, 9 / 8, 5 / 4, 3 / 2, 5 / 3]; // a scale in which any note goes with any other
const ROLL_HZ = 620;
const ROLL_LEVEL = 0.16;
const GROOVES_HZ = 9; // a ball on printed tiles does not hiss: it rattles
const FADE_S = 0.12;

/** How much higher the touch number `count` of a roll sounds than the first: up two octaves, and no further. */
export function higher(count) {
  const step = Math.min(Math.max(0, count - 1), 2 * STEPS.length);
  return STEPS[step % STEPS.length] * 2 ** Math.floor(step / STEPS.length);
}

/**
 * Where everything goes that shall be heard in `audio`: however much sounds at once, it stays below what a loudspeaker can do.
 * @param {BaseAudioContext} audio
 */
export function openMouth(audio) {
  const mouth = new DynamicsCompressorNode(audio, { threshold: -14, knee: 8, ratio: 14, attack: 0.002, release: 0.2 });
  mouth.connect(audio.destination);
  return mouth;
}

/**
 * Let a sound be heard through `mouth` at the time `at` of its clock, `pitch` times as high as it stands above.
 * @param {AudioNode} mouth
 * @param {string} name
 * @param {number} at seconds
 */
export function sound(mouth, name, at, pitch = 1) {
  for (const part of SOUNDS[name]) {
    const audio = mouth.context;
    const from = at + (part.from_s ?? 0);
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(part.level, from);
    volume.gain.exponentialRampToValueAtTime(QUIET, from + part.s);
    const source = part.wave === "noise" ? noise(audio, part.hz, volume) : tone(audio, part, from, pitch, volume);
    volume.connect(mouth);
    source.start(from);
    source.stop(from + part.s);
  }
}

/**
 * @param {BaseAudioContext} audio
 * @param {any} part
 */
function tone(audio, { hz, to, s, wave = "sine" }, from, pitch, volume) {
  const made = new OscillatorNode(audio, { frequency: hz * pitch, type: wave });
  if (to) {
    made.frequency.setValueAtTime(hz * pitch, from);
    made.frequency.exponentialRampToValueAtTime(to * pitch, from + s);
  }
  made.connect(volume);
  return made;
}

/** A second of hiss again and again, of which a band is let through. */
function noise(audio, hz, volume) {
  const buffer = new AudioBuffer({ length: audio.sampleRate, sampleRate: audio.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  const made = new AudioBufferSourceNode(audio, { buffer, loop: true });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: hz, Q: 0.9 });
  made.connect(band).connect(volume);
  return made;
}

/**
 * Begin the noise of a ball that rolls; the result ends it, softly.
 * @param {AudioNode} mouth
 */
export function startRolling(mouth) {
  const audio = mouth.context;
  const now = audio.currentTime;
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, now);
  volume.gain.linearRampToValueAtTime(ROLL_LEVEL, now + FADE_S);
  const rattle = new GainNode(audio, { gain: 0.7 });
  const grooves = new OscillatorNode(audio, { frequency: GROOVES_HZ });
  const depth = new GainNode(audio, { gain: 0.3 });
  grooves.connect(depth).connect(rattle.gain);
  const ball = noise(audio, ROLL_HZ, rattle);
  rattle.connect(volume).connect(mouth);
  ball.start(now);
  grooves.start(now);
  return () => {
    const end = audio.currentTime;
    volume.gain.cancelScheduledValues(end);
    volume.gain.setTargetAtTime(0, end, FADE_S / 3);
    for (const one of [ball, grooves]) one.stop(end + 2 * FADE_S);
  };
}
