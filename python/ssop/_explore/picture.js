// The picture of a strided slice: what python/ssop/_explain/picture.py draws, cell by cell. There, every number has its
// reason. An axis is { name, dim, start, count, step, bounds: [{ name, edge, masked, backward }] }; indices are BigInt.
import { axesInOrder } from "./core.js";
import { tuple } from "./explain.js";

export const LONGEST = 15;
export const LAYERS = 4;
const CELL_WIDTH = 34, CELL_HEIGHT = 28, WIDTH = 700;
const MARGIN = 12, LINE = 18, HEAD = 40, GAP = 22, BETWEEN = 12;
const BOUNDS = "ticks: begin square, end round, thin if masked";
const ONE = { name: "", dim: 1n, start: 0n, count: 1n, step: 1n, bounds: [] };

// ---- what is drawn ----------------------------------------------------------------------------------------------------

// Of an answer of `resolve` and the call that it answers; `done` says which stages have been, all if it is left out.
export function pictureOf(call, answer, done = () => true) {
  const out = answer.outAxes ?? call.shape.map((_, axis) => axis), ended = answer.error === null && done("output shape");
  const axes = call.shape.map((dim, number) => {
    const axis = answer.axes[number] ?? { entry: null };
    const kept = axis.entry === null ? ["shrink_axis"] : answer.entries[axis.entry].kept;
    const bounds = kept.includes("shrink_axis") ? [] : ["begin", "end"].map((name) => boundOf(call, axis, name, kept, done));
    const isDropped = !out.includes(number) && done("shrink");
    const { start, count, step } = ended || isDropped ? axis : { start: 0n, count: 0n, step: 1n };
    return { name: `axis ${number}${isDropped ? ", dropped" : ""}`, dim, start, count, step, bounds };
  });
  const hasBounds = axes.some((axis) => axis.bounds.length > 0), order = axesInOrder(answer.axes, out);
  const fresh = out.flatMap((axis, output) => (axis < 0 ? [output] : [])), places = [];
  order.forEach((axis, k) => axis < 0 && places.push(order.slice(0, k).filter((each) => each >= 0).length));
  const notes = [...(ended ? chips(answer) : []), ...(hasBounds ? [BOUNDS] : [])];
  const title = `x${ended ? answer.index : ""} of shape ${tuple(call.shape)}`;
  return { title, axes, fresh: done("new axis") ? fresh.map((output, k) => [places[k], output]) : [], notes };
}

// Where a bound is after the stages that have been.
function boundOf(call, axis, name, kept, done) {
  const backward = call.strides[axis.entry] < 0n, by = done(`${name} mask`);
  const at = by ? axis[name] : done(`clamp ${name}`) ? axis[`clamped_${name}`] : call[name][axis.entry];
  return { name, edge: at + (backward ? 1n : 0n), masked: by && kept.includes(name), backward };
}

function chips({ axes, outAxes, shape }) {
  const parts = outAxes.map((axis, output) => `${shape[output]} (${axis < 0 ? "new" : `axis ${axis}`})`);
  const dropped = axes.map(({ axis }) => axis).filter((axis) => !outAxes.includes(axis));
  const lines = [`result: ${parts.join(" \u00d7 ") || "a scalar"}`];
  if (dropped.length > 0) lines.push(`dropped: ${dropped.length === 1 ? "axis" : "axes"} ${dropped.join(", ")}`);
  return lines;
}

export function description({ axes, notes }) {
  const product = (numbers) => numbers.reduce((a, b) => a * b, 1n);
  const taken = product(axes.map(({ count }) => count)), total = product(axes.map(({ dim }) => dim));
  const words = axes.map((axis) => `${axis.name} of length ${axis.dim}: ${inWords(axis)}`);
  return `${[`${taken} of ${total} cells are taken`, ...words, ...notes].join(". ")}.`;
}

function inWords({ start, count, step }) {
  if (count === 0n) return "nothing is taken";
  const first = Array.from({ length: Number(count < 12n ? count : 12n) }, (_, k) => start + BigInt(k) * step);
  return `taken at ${first.join(", ")}${count > 12n ? ", .." : ""}`;
}

function placeOf(axis, index) {
  const away = index - axis.start;
  if (away % axis.step !== 0n) return null;
  const place = away / axis.step;
  return place >= 0n && place < axis.count ? place : null;
}

// The indices that are drawn, in order; where two are no neighbours there is a gap.
function shown(axis, most) {
  if (axis.dim <= BigInt(most)) return Array.from({ length: Number(axis.dim) }, (_, i) => BigInt(i));
  const places = [0n, 1n, 2n].filter((k) => k < axis.count);
  const taken = [...places, axis.count - 1n].filter((k) => k >= 0n).map((k) => axis.start + k * axis.step);
  const wanted = new Set([0n, axis.dim - 1n]);
  for (const index of [...taken, ...axis.bounds.map(({ edge }) => edge), 1n]) {
    if (wanted.size < most && index >= 0n && index < axis.dim) wanted.add(index);
  }
  return [...wanted].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

// ---- layout -----------------------------------------------------------------------------------------------------------

export function draw({ axes, fresh, notes }) {
  const drawing = { cells: [], lines: [], words: [], width: 0, height: MARGIN };
  if (axes.length <= 2) drawGrid(drawing, gridOf([...[ONE, ONE].slice(axes.length), ...axes], "", 0n), MARGIN);
  else if (axes.length === 3) drawLayers(drawing, axes);
  else drawBars(drawing, axes, fresh);
  if (axes.length <= 3) drawNewAxes(drawing, fresh);
  for (const line of notes.flatMap((note) => wrapped(note, Math.floor(WIDTH / 8)))) {
    drawing.height += LINE;
    drawing.words.push(word(MARGIN, drawing.height, line, "note"));
    grow(drawing, MARGIN + 8 * line.length, drawing.height);
  }
  grow(drawing, drawing.width + MARGIN, drawing.height + MARGIN);
  return drawing;
}

const gridOf = ([rows, columns], title, first) => ({ rows, columns, title, first });
const word = (x, y, text, kind, anchor = "start") => ({ x, y, text: String(text), kind, anchor });

function grow(drawing, x, y) {
  drawing.width = Math.max(drawing.width, x), drawing.height = Math.max(drawing.height, y);
}

function wrapped(note, width) {
  const lines = [];
  for (const part of note.split(" ")) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)} ${part}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

// Axes one below the other, the new ones between them.
function drawBars(drawing, axes, fresh) {
  for (let place = 0; place <= axes.length; place++) {
    for (const [, output] of fresh.filter(([before]) => before === place)) {
      drawNewAxis(drawing, output, MARGIN, HEAD + LINE);
      drawing.height += BETWEEN;
    }
    if (place < axes.length) {
      drawGrid(drawing, gridOf([ONE, axes[place]], "", 0n), MARGIN);
      drawing.height += BETWEEN;
    }
  }
}

// Side by side as far as there is room.
function drawNewAxes(drawing, fresh) {
  let x = MARGIN, top = drawing.height + (fresh.length > 0 ? BETWEEN : 0);
  for (const [, output] of fresh) {
    const width = 7 * nameOfNew(output).length + GAP;
    if (x > MARGIN && x + width > WIDTH) (x = MARGIN), (top = drawing.height);
    drawing.height = top;
    drawNewAxis(drawing, output, x, LINE + 4);
    x += width;
  }
}

const nameOfNew = (output) => `new axis ${output} of the result (1)`;

function drawNewAxis(drawing, output, x, head) {
  const name = nameOfNew(output), y = drawing.height + head;
  drawing.words.push(word(x, drawing.height + 13, name, "head"));
  drawing.cells.push({ x, y, text: "new", kind: "new", tip: `axis ${output} of the result, of length 1` });
  grow(drawing, x + 7 * name.length, y + CELL_HEIGHT + 8);
}

function drawLayers(drawing, [layers, rows, columns]) {
  let x = MARGIN, top = drawing.height, bottom = drawing.height;
  for (const index of shown(layers, LAYERS)) {
    const place = placeOf(layers, index), title = `${layers.name}: index ${index}`;
    const grid = gridOf([rows, columns], title, place === null ? null : place * rows.count * columns.count);
    const width = Math.max(widthOf(grid), 7 * title.length) + GAP;
    if (x > MARGIN && x + width > WIDTH) (x = MARGIN), (top = bottom + BETWEEN);
    drawing.height = top;
    drawGrid(drawing, grid, x);
    x += width, (bottom = Math.max(bottom, drawing.height));
  }
  drawing.height = bottom;
}

// Where the cell of each index that is shown is, in pixels from the first: [index, pixels, whether a gap is before it].
function positionsOf(axis, size) {
  let at = 0, before = null;
  return shown(axis, LONGEST).map((index) => {
    const gap = before !== null && index !== before + 1n;
    if (before !== null) at += size + (gap ? Math.floor(size / 2) : 0);
    before = index;
    return [index, at, gap];
  });
}

const lastOf = (positions) => positions.at(-1)?.[1] ?? 0;
const gapsOf = (positions, size) => positions.filter(([, , gap]) => gap).map(([, at]) => at - Math.floor(size / 4));
const sideOf = ({ rows }) => (rows.name ? 74 : 0);
const widthOf = (grid) => sideOf(grid) + lastOf(positionsOf(grid.columns, CELL_WIDTH)) + CELL_WIDTH;

function drawGrid(drawing, grid, left) {
  const { rows, columns } = grid;
  if (grid.title) {
    drawing.words.push(word(left, drawing.height + 14, grid.title, "head"));
    drawing.height += LINE;
  }
  const across = positionsOf(columns, CELL_WIDTH), down = positionsOf(rows, CELL_HEIGHT);
  const x = left + sideOf(grid), y = drawing.height + (columns.name ? HEAD + LINE : 0);
  drawCells(drawing, grid, across.map(([i, at]) => [i, x + at]), down.map(([i, at]) => [i, y + at]));
  if (columns.name) {
    drawing.words.push(word(x, drawing.height + 13, `${columns.name} (${columns.dim})`, "head"));
    for (const [i, at] of across) drawing.words.push(word(x + CELL_WIDTH / 2 + at, y - 5, i, "index", "middle"));
    for (const at of gapsOf(across, CELL_WIDTH)) drawing.words.push(word(x + at, y - 5, "\u2026", "index", "middle"));
    for (const mark of marks(columns, across, CELL_WIDTH)) drawing.lines.push(moved(mark, x, y - HEAD + 12));
  }
  const bottom = y + lastOf(down) + CELL_HEIGHT;
  if (rows.name) {
    const name = `${rows.name} (${rows.dim})`;
    drawing.words.push(word(left, bottom + 15, name, "head"));
    for (const [i, at] of down) drawing.words.push(word(x - 6, y + at + CELL_HEIGHT / 2 + 4, i, "index", "end"));
    for (const at of gapsOf(down, CELL_HEIGHT)) drawing.words.push(word(x - 6, y + at + 4, "\u22ee", "index", "end"));
    for (const mark of marks(rows, down, CELL_HEIGHT)) drawing.lines.push(moved(turned(mark), left + 20, y));
    grow(drawing, left + 7 * name.length, 0);
  }
  const right = x + lastOf(across) + CELL_WIDTH;
  if (across.length === 0 || down.length === 0) drawing.words.push(word(x, y + 18, "no cells", "note"));
  grow(drawing, Math.max(right, x + 7 * columns.name.length + 30), bottom + (rows.name ? LINE + 4 : 8));
}

function drawCells(drawing, { rows, columns, first }, across, down) {
  for (const [row, y] of down) {
    for (const [column, x] of across) {
      const i = placeOf(rows, row), j = placeOf(columns, column);
      const where = [[rows, row], [columns, column]].filter(([axis]) => axis.name).map(([, index]) => index).join(", ");
      if (first === null || i === null || j === null) {
        drawing.cells.push({ x, y, text: "", kind: "left", tip: `[${where}]` });
      } else {
        const number = first + i * columns.count + j;
        drawing.cells.push({ x, y, text: String(number), kind: "taken", tip: `[${where}] is ${number}` });
      }
    }
  }
}

// Of an axis from left to right, at height 0: an arrow over what is taken, ticks at the bounds.
function marks(axis, positions, size) {
  const at = new Map(positions.map(([index, pixels]) => [index, pixels])), found = [];
  const ends = [axis.start, axis.start + (axis.count - 1n) * axis.step];
  if (axis.count > 1n && ends.every((end) => at.has(end))) {
    const [x, x2] = ends.map((end) => at.get(end) + size / 2);
    found.push({ x, y: 0, x2, y2: 0, kind: "arrow" });
  }
  for (const { name, edge, masked, backward } of axis.bounds) {
    const before = at.get(edge - 1n), x = at.get(edge) ?? (before === undefined ? null : before + size);
    if (x !== null) found.push(...tick(x, name, backward ? -4 : 4, masked ? "masked" : "bound"));
  }
  return found;
}

// A square tick opens towards what is taken from it on, a round one closes what is taken before it.
function tick(x, name, inward, kind) {
  const line = (x1, y, x2, y2) => ({ x: x1, y, x2, y2, kind });
  if (name === "begin") return [line(x, -7, x, 7), line(x, -7, x + inward, -7), line(x, 7, x + inward, 7)];
  return [line(x - inward, -7, x, -3), line(x, -3, x, 3), line(x, 3, x - inward, 7)];
}

const turned = (line) => ({ ...line, x: line.y, y: line.x, x2: line.y2, y2: line.x2 });
const moved = (line, x, y) => ({ ...line, x: line.x + x, y: line.y + y, x2: line.x2 + x, y2: line.y2 + y });

// ---- SVG --------------------------------------------------------------------------------------------------------------

// `mark` gives a cell more attributes. A picture may say of itself what it is, in place of what is taken.
export function svg(picture, prefix = "", mark = () => "") {
  const { cells, lines, words, width, height } = draw(picture), numbered = cells.map((cell, number) => ({ ...cell, number }));
  const parts = [`<title id="${prefix}picture-title">${picture.title}</title><desc id="${prefix}picture-desc">${picture.said ?? description(picture)}</desc>`];
  parts.push(`<defs><marker id="${prefix}picture-head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="5" markerHeight="5" orient="auto"><path d="M 0 0 L 10 5 L 0 10 z"/></marker></defs>`);
  for (const kind of ["left", "new", "taken"]) {
    for (const { x, y, text, tip, number } of numbered.filter((cell) => cell.kind === kind)) {
      parts.push(`<rect class="ssop-${kind}" x="${x}" y="${y}" width="${CELL_WIDTH}" height="${CELL_HEIGHT}"${mark({ x, y, text, kind, number })}><title>${tip}</title></rect>`);
      const squeezed = text.length > 3 ? ' textLength="28" lengthAdjust="spacingAndGlyphs"' : "";
      if (text) parts.push(`<text x="${x + CELL_WIDTH / 2}" y="${y + 18}" text-anchor="middle"${squeezed}>${text}</text>`);
    }
  }
  for (const { x, y, x2, y2, kind } of lines) {
    const head = kind === "arrow" ? ` marker-end="url(#${prefix}picture-head)"` : "";
    parts.push(`<line class="ssop-${kind}" x1="${x}" y1="${y}" x2="${x2}" y2="${y2}"${head}/>`);
  }
  for (const { x, y, text, kind, anchor } of words) {
    parts.push(`<text class="ssop-${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`);
  }
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg class="ssop-picture" role="${picture.role ?? "img"}" aria-labelledby="${prefix}picture-title ${prefix}picture-desc" ${size}>${parts.join("")}</svg>`;
}
