// What a learner expects of a call, and how right that is. No page is needed.
//
// A guess is { error, shape, cells }: whether the call is an error, the shape as text, and a set of numbers of cells in
// the order of `blank`; cells is null where none can be marked, or none was.
import { DIALECTS, MASKS, resolve } from "./core.js";
import { explain, isExplained, tuple } from "./explain.js";
import { draw, LAYERS, LONGEST } from "./picture.js";
import { integers, setBit } from "./state.js";

const LAST_STAGES = ["output shape", "pick shape", "data"]; // they say the result, not why

// The picture without anything that gives the answer away: all cells, in an order that the answer does not change.
export function blank(call, answer = null) {
  const nothing = { start: 0n, count: 0n, step: 1n };
  const axes = call.shape.map((dim, axis) => {
    const { start, count, step } = answer?.axes[axis] ?? nothing;
    return { name: `axis ${axis}`, dim, start, count, step, bounds: [] };
  });
  return { title: `x of shape ${tuple(call.shape)}`, axes, fresh: [], notes: [] };
}

// Whether every cell has a place of its own, whatever is taken.
export function canMark({ shape }) {
  const isShort = shape.every((dim) => dim > 0n && dim <= BigInt(LONGEST));
  return shape.length > 0 && isShort && (shape.length !== 3 || shape[0] <= BigInt(LAYERS));
}

// How each cell is called; of more than three axes, each has cells of its own.
export function cellNames({ shape }) {
  const dims = shape.map(Number);
  if (dims.length > 3) return dims.flatMap((dim, axis) => Array.from({ length: dim }, (_, i) => `axis ${axis}, index ${i}`));
  return dims.reduce((names, dim) => names.flatMap((name) => Array.from({ length: dim }, (_, i) => [...name, i])), [[]]).map((name) => `[${name.join(", ")}]`);
}

// { error, shape, cells } of an answer, as a guess has them.
export function solutionOf(call, answer) {
  if (answer.error !== null) return { error: true, shape: "", cells: null };
  const taken = draw(blank(call, answer)).cells.flatMap(({ kind }, k) => (kind === "taken" ? [k] : []));
  return { error: false, shape: tuple(answer.shape), cells: canMark(call) ? new Set(taken) : null };
}

const sameCells = (one, two) => one.size === two.size && [...one].every((k) => two.has(k));

function sameShape(one, two) {
  try {
    return integers(one).join() === integers(two).join();
  } catch {
    return false; // a text that is no shape
  }
}

// Whether all that is said in a guess is true.
export function agrees(guess, solution) {
  if (guess.error || solution.error) return guess.error === solution.error;
  const shape = guess.shape === "" || sameShape(guess.shape, solution.shape);
  return shape && (guess.cells === null || solution.cells === null || sameCells(guess.cells, solution.cells));
}

// { right, answer, solution, lines, wrong }: what is to be said, as text with labels of rules in brackets, and the cells
// that are wrong.
export function grade(call, guess) {
  const answer = resolve(call), told = explain(call, answer), solution = solutionOf(call, answer);
  const right = agrees(guess, solution), lines = [`The answer: ${answer.error ?? `shape ${solution.shape}, x${answer.index}`}.`];
  const wrong = new Set([...(guess.cells ?? []), ...(solution.cells ?? [])].filter((k) => guess.cells?.has(k) !== solution.cells?.has(k)));
  if (!right) lines.push(...mistakes(call, guess));
  lines.push(...deciding(answer, told));
  return { right, answer, solution, lines, wrong: guess.cells === null || solution.cells === null ? new Set() : wrong };
}

// Which rule the guess would follow: that of a call without one of the bits, or of another dialect.
function mistakes(call, guess) {
  for (const [entry, k] of call.begin.flatMap((_, i) => MASKS.map((_, k) => [i, k]))) {
    if (!((call.masks[k] >> entry) & 1)) continue;
    const other = setBit(call, k, entry, false);
    if (agrees(guess, solutionOf(other, resolve(other)))) return [`Yours is the answer without bit ${entry} of ${MASKS[k]}_mask.`];
  }
  const dialect = Object.keys(DIALECTS).find((name) => isExplained(name) && agrees(guess, solutionOf(call, resolve({ ...call, dialect: name }))));
  return dialect === undefined ? [] : [`Yours is the answer of ${DIALECTS[dialect]}.`];
}

// The rules that decided: those of the bits, and of the stages that changed bounds; else those of the result.
function deciding(answer, told) {
  if (answer.error !== null) return told.failed === null ? [] : [`The stage that finds it: ${told.failed}.`];
  const bits = told.bits.map((bit) => `${bit.mask}_mask, entry ${bit.entry}, ${bit.matters ? "matters" : "is ignored"}: ${bit.why} [${bit.label}]`);
  const changing = told.stages.filter(({ changes }) => changes.length > 0);
  const clamps = changing.filter(({ name }) => name.startsWith("clamp")), last = changing.filter(({ name }) => LAST_STAGES.includes(name)).slice(0, 1);
  const stages = [...clamps, ...(bits.length + clamps.length === 0 ? last : [])];
  return [...bits, ...stages.map(({ name, label, changes }) => `${name}: ${changes.join("; ")} [${label}]`), ...told.empty];
}
