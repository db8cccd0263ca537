// One axis in the width of a column: its cells, those that are taken, and ticks at begin and end.
const WIDTH = 96, HEIGHT = 20, MOST = 24, THINNEST = 1.5;

// `axis` is one of `pictureOf`. A long axis is one cell with what is taken at its place, to scale.
export function strip(axis) {
  const length = Number(axis.dim), size = WIDTH / Math.max(length, 1), parts = [];
  const rect = (kind, index, wide) => parts.push(`<rect class="${kind}" x="${(index * size).toFixed(1)}" y="4" width="${Math.max(wide * size, THINNEST).toFixed(1)}" height="12"/>`);
  const isShort = length <= MOST, [start, count, step] = [axis.start, axis.count, axis.step].map(Number);
  for (let i = 0; i < (isShort ? length : 1); i++) rect("left", i, isShort ? 1 : length);
  if (count <= MOST) for (let k = 0; k < count; k++) rect("taken", start + k * step, 1);
  else rect("taken", Math.min(start, start + (count - 1) * step), (count - 1) * Math.abs(step) + 1);
  for (const { edge, masked } of axis.bounds) {
    const x = Number(edge) * size;
    if (x >= 0 && x <= WIDTH) parts.push(`<line class="${masked ? "masked" : "bound"}" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="0" y2="${HEIGHT}"/>`);
  }
  return `<svg class="strip" viewBox="-2 0 ${WIDTH + 4} ${HEIGHT}" aria-hidden="true">${parts.join("")}</svg>`;
}
