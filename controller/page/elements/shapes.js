// Geometry of the drawing, in the board's millimetres: x to the right, y downhill, edges 1..6 clockwise from the top.

const CIRCLE = 2 * Math.PI;

/** The unit vector out of the middle of a slot over an edge. */
export function direction(edge) {
  const angle = ((edge - 1) * CIRCLE) / 6;
  return { x: Math.sin(angle), y: -Math.cos(angle) };
}

/** Where an edge of an upright tile points after so many sixths of a clockwise turn. */
export function turned(edge, turns) {
  return ((((edge - 1 + turns) % 6) + 6) % 6) + 1;
}

/** A point over an edge, so many millimetres from the middle. */
export function over(edge, distance, from = { x: 0, y: 0 }) {
  const way = direction(edge);
  return { x: from.x + way.x * distance, y: from.y + way.y * distance };
}

/** Where an edge or a corner is on the drawing: corner 1 is clockwise of edge 1, and so on; null if the board has none. */
export function spotAt(layout, place) {
  const [kind, name, number] = place.split(".");
  const slot = layout.slots.get(name);
  const index = Number(number);
  if (!slot || !["edge", "corner"].includes(kind) || !(index >= 1 && index <= 6)) return null;
  if (kind === "edge") return over(index, layout.pitch / 2, slot);
  return over(index + 0.5, layout.radius, slot);
}

/** The six corners of a flat-top hexagon, as the text of a `points` attribute. */
export function hexagon(radius) {
  return Array.from({ length: 6 }, (_, i) => pair(corner(radius, i * 60))).join(" ");
}

function corner(radius, degrees) {
  const angle = (degrees * CIRCLE) / 360;
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

/** The two ends of an edge, `gap` millimetres outside it and `trim` shorter at both ends. */
export function edgeLine(radius, edge, gap = 0, trim = 0) {
  const middle = over(edge, (radius * Math.sqrt(3)) / 2 + gap);
  const way = direction(edge);
  const half = radius / 2 - trim;
  return [
    { x: middle.x + way.y * half, y: middle.y - way.x * half },
    { x: middle.x - way.y * half, y: middle.y + way.x * half },
  ];
}

/** A path that begins at the hexagon's top left corner and goes round it clockwise, for rings that fill up. */
export function ring(radius) {
  const corners = Array.from({ length: 6 }, (_, i) => corner(radius, i * 60 - 120));
  return `M${corners.map(pair).join("L")}Z`;
}

/** A star with so many spikes. */
export function burst(outer, inner, spikes) {
  const points = Array.from({ length: spikes * 2 }, (_, i) =>
    corner(i % 2 ? inner : outer, (i * 180) / spikes - 90),
  );
  return points.map(pair).join(" ");
}

/** The grooves of a tile as paths: a curve for two joined edges, spokes for more, a dead end for one. */
export function grooves(channels, turns, pitch) {
  return channels.flatMap((channel) => {
    const ends = channel.map((edge) => over(turned(edge, turns), pitch / 2));
    if (ends.length === 2) return [`M${pair(ends[0])}Q0,0 ${pair(ends[1])}`];
    return ends.map((end) => `M${pair(end)}L0,0`);
  });
}

/** "x,y" with a tenth of a millimetre. */
export function pair(point) {
  return `${round(point.x)},${round(point.y)}`;
}

/** A number to a tenth of a millimetre. */
export function round(value) {
  return Math.round(value * 10) / 10;
}

/** Points on the curve from `a` to `b` that bends at `bend`, without its first. */
export function curve(a, bend, b, steps) {
  return Array.from({ length: steps }, (_, i) => {
    const t = (i + 1) / steps;
    const u = 1 - t;
    return {
      x: u * u * a.x + 2 * u * t * bend.x + t * t * b.x,
      y: u * u * a.y + 2 * u * t * bend.y + t * t * b.y,
    };
  });
}

/** Break a title into at most two lines that fit on a tile. */
export function lines(title, width = 11) {
  const words = title.split(/\s+/);
  const rows = [""];
  for (const word of words) {
    const row = rows[rows.length - 1];
    if (row && row.length + 1 + word.length > width) rows.push(word);
    else rows[rows.length - 1] = row ? `${row} ${word}` : word;
  }
  const shown = rows.slice(0, 2).map((row) => clip(row, width + 1));
  if (rows.length > 2) shown[1] = `${clip(shown[1], width - 1)}…`;
  return shown;
}

function clip(text, width) {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
