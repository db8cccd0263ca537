// An answer in words: the stages, why each mask bit matters or is ignored, why an axis is empty, and the nearest call
// that works. The sentences and the labels of the rules are those of python/ssop/_explain/words.py, filled in from the
// trace of the core, as python/ssop/_explain does it (tests/browser/test_reasons.py compares the two).
import { bitsOf, MASKS, resolve } from "./core.js";
import { maskWithout } from "./state.js";

const MAX_REPAIRS = 200;

// { words, stages, bits, dialects, conditions, stageOf, specStage }, as ssop/_explore/explorer.py gives them.
let facts = null;

export function loadWords(given) {
  facts = given;
}

const say = (name, values = {}) => facts.words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
// A bound of -1 is no index that counts from the end, but the place before the axis.
const place = (bound) => (bound === -1n ? say("before") : bound);
export const cell = (bound) => (bound === -1n ? say("before in a cell") : bound);
const is = (entry, kind) => entry.kept.includes(kind);
const product = (numbers) => numbers.reduce((a, b) => a * b, 1n);
const axesText = (axes) => `${axes.length === 1 ? "axis" : "axes"} ${axes.join(", ")}`;

export function tuple(numbers) {
  return `(${numbers.join(", ")}${numbers.length === 1 ? "," : ""})`;
}

// What a bit of the mask does, with the label of its rule; null where that depends on the stride.
export const wordsOfBit = (mask) => facts.bits[mask] ?? null;
export const isExplained = (dialect) => Object.hasOwn(facts.dialects, dialect);
export const conditionOf = (answer) => facts.conditions[answer.label] ?? null;

// { stages: [{ name, label, changes }], bits: [{ mask, entry, matters, why, label }], empty, failed, repair }. A Slice of
// ONNX has no masks to explain.
export function explain(call, answer) {
  if (!isExplained(call.dialect)) return { stages: [], bits: [], empty: [], failed: null, repair: null };
  const trace = { call, answer, rules: facts.dialects[call.dialect] };
  const failed = answer.error === null ? null : facts.stageOf[conditionOf(answer)];
  const repair = answer.error === null ? null : repaired(call, answer);
  return { stages: stages(trace, failed), bits: [...maskBits(trace)], empty: [...emptyAxes(trace)], failed, repair };
}

const labelOf = (trace, rule) => trace.rules.labels[rule] ?? rule;

// ---- stages -----------------------------------------------------------------------------------------------------------

// Up to the one that finds the error. Where changes have rules of their own, each says by which one it is.
function stages(trace, failed) {
  if (failed === facts.specStage) return [];
  const found = [];
  const changes = [conflicts, newAxes, ellipsis, missing, clamped("begin"), clamped("end"), masked("begin"), masked("end"),
    shrunk, result, pick, data];
  for (const [k, [name, rule]] of facts.stages.entries()) {
    if (trace.answer.error !== null && k > 9) break;
    const told = [...changes[k](trace)].map(([text, own]) => [text, own ?? labelOf(trace, rule)]);
    const labels = new Set(told.map(([, own]) => own));
    const label = labels.size === 1 ? [...labels][0] : labelOf(trace, rule);
    const words = told.map(([text, own]) => (own === label ? text : `${text} [${own}]`));
    if (name === failed) words.push(say("finds"));
    found.push({ name, label, changes: words });
    if (name === failed) break;
  }
  return found;
}

function* conflicts({ answer }) {
  for (const entry of answer.entries) {
    const lost = entry.bits.filter((name) => !is(entry, name));
    const winner = is(entry, "ellipsis") ? "the ellipsis" : "a new axis", verb = lost.length === 1 ? "is" : "are";
    if (lost.length > 0) yield [say("conflict", { entry: entry.entry, winner, lost: lost.join(" and "), verb })];
  }
}

function* newAxes({ call, answer }) {
  const added = answer.entries.filter((entry) => is(entry, "new_axis"));
  for (const { entry } of added) yield [say("new", { entry })];
  if (added.length > 0 && answer.error === null) {
    const dims = answer.entries.flatMap((entry) => (is(entry, "new_axis") ? [1n] : entry.axes.map((axis) => call.shape[axis])));
    const shape = tuple([...dims, ...withoutEntry(answer).map((axis) => call.shape[axis])]);
    yield [say("intermediate", { shape })];
  }
}

// The axes for which no entry is left.
function withoutEntry({ entries, axes }) {
  const covered = entries.find((entry) => is(entry, "ellipsis"))?.axes ?? [];
  return axes.filter(({ axis, entry }) => entry === null && !covered.includes(axis)).map(({ axis }) => axis);
}

function* ellipsis({ answer }) {
  const found = answer.entries.find((entry) => is(entry, "ellipsis"));
  if (found === undefined) return;
  const { entry, axes } = found;
  yield [axes.length > 0 ? say("keeps", { entry, axes: axesText(axes) }) : say("covers", { entry })];
}

function* missing({ call, answer }) {
  const axes = withoutEntry(answer);
  if (axes.length > 0) yield [say("missing", { axes: axesText(axes) }), "ss_s2"];
  for (let entry = answer.entries.length; entry < call.begin.length; entry++) {
    if (answer.error === null) yield [say("spare", { entry }), "tfl_s3"];
  }
}

// The axes whose begin, or whose end, is read, with their entries: a shrunk one has no end.
function boundsOf({ answer }, bound) {
  const pairs = answer.axes.filter(({ entry }) => entry !== null).map((axis) => [axis, answer.entries[axis.entry]]);
  return pairs.filter(([, entry]) => bound === "begin" || !is(entry, "shrink_axis"));
}

const clamped = (bound) => function* clampedBounds(trace) {
  for (const [axis, entry] of boundsOf(trace, bound)) {
    const given = trace.call[bound][entry.entry], wrapped = axis[`wrapped_${bound}`], used = axis[`clamped_${bound}`];
    if (given === used) continue;
    const added = given < 0n && wrapped !== given ? say("added", { dim: axis.dim, wrapped }) : "";
    const words = wrapped !== used ? say("clamped", { name: bound, given, added, used: place(used) })
      : `${say("inside", { name: bound, given, added })}${used === -1n ? `, ${say("before")}` : ""}`;
    yield [say("axis", { axis: axis.axis, words }), clampLabel(trace, axis, entry, bound)];
  }
};

// The rule of a dialect that clamps a begin below -dim to element 0, where TensorFlow does not.
function clampLabel({ call }, axis, entry, bound) {
  if (bound === "end" || axis.wrapped_begin >= 0n || axis.clamped_begin !== 0n) return undefined;
  if (is(entry, "shrink_axis")) return "tfl_s2";
  return call.strides[entry.entry] < 0n ? "ov_s2" : undefined;
}

const masked = (bound) => function* maskedBounds(trace) {
  for (const [axis, entry] of boundsOf(trace, bound)) {
    const unmasked = axis[`clamped_${bound}`], used = axis[bound];
    if (!is(entry, bound) || used === unmasked) continue;
    const words = say("masked", { axis: axis.axis, bound, used: place(used), clamped: place(unmasked) });
    yield [words, is(entry, "shrink_axis") ? "tfl_s1" : undefined];
  }
};

function* shrunk(trace) {
  for (const [axis, entry] of boundsOf(trace, "begin")) {
    if (is(entry, "shrink_axis")) yield [say("shrunk", { entry: entry.entry, index: axis.start, axis: axis.axis })];
  }
}

function* result({ answer }) {
  if (answer.error === null) yield [tuple(answer.shape)];
}

function* pick({ answer }) {
  yield [say("pick", { shape: tuple(answer.axes.map(({ count }) => count)) })];
}

function* data({ call, answer }) {
  const taken = product(answer.axes.map(({ count }) => count));
  yield [say("data", { taken, total: product(call.shape), index: answer.index })];
}

// ---- mask bits --------------------------------------------------------------------------------------------------------

// Every bit that is set, by entry.
function* maskBits(trace) {
  const { call, answer } = trace;
  for (let number = 0; number < 32; number++) {
    for (const mask of bitsOf(call, number)) {
      const bit = { mask, entry: number, matters: false };
      if (number >= call.begin.length) yield { ...bit, why: say("no entry", { entry: number }), label: labelOf(trace, "ss_s8") };
      else if (number < answer.entries.length) yield { ...bit, ...reason(trace, answer.entries[number], mask) };
    }
  }
}

function reason(trace, entry, mask) {
  const axis = trace.answer.axes.find((each) => each.entry === entry.entry);
  if (!is(entry, mask)) {
    const winner = is(entry, "ellipsis") ? "ellipsis" : "new_axis";
    return { why: say("precedence", { winner }), label: labelOf(trace, "ss_s1") };
  }
  if (Object.hasOwn(facts.bits, mask)) {
    const [why, rule] = facts.bits[mask];
    return { matters: true, why, label: labelOf(trace, rule) };
  }
  if (axis === undefined) return { why: say("unread"), label: "ss_s5" };
  const isShrunk = is(entry, "shrink_axis");
  if (isShrunk && !(mask === "begin" && trace.rules.readsShrunkBeginMask)) {
    return { why: say("shrunk axis"), label: labelOf(trace, "ss_s7") };
  }
  const label = isShrunk ? "tfl_s1" : "ss_s5", unmasked = axis[`clamped_${mask}`], used = axis[mask];
  if (unmasked === used) return { why: say("no difference", { bound: mask, used: place(used) }), label };
  return { matters: true, why: say("difference", { bound: mask, used: place(used), clamped: place(unmasked) }), label };
}

// ---- empty axes -------------------------------------------------------------------------------------------------------

function* emptyAxes(trace) {
  for (const axis of trace.answer.axes.filter(({ count }) => count === 0n)) {
    if (axis.dim === 0n || axis.entry === null) {
      yield say("empty dim", { axis: axis.axis });
      continue;
    }
    const stride = trace.call.strides[axis.entry], hints = [...waysToFill(trace, axis)];
    const why = compared(axis.begin, axis.end, stride);
    yield say("empty", { axis: axis.axis, why, hints: hints.length > 0 ? `; ${hints.join(", ")}` : "" });
  }
}

// Why a range has no elements: bounds that are in use, and the sign of the stride.
function compared(begin, end, step) {
  const values = { first: "begin", last: "end", begin, end, stride: "stride", step, before: say("before") };
  return say(step > 0n ? "forward" : begin === -1n ? "away" : "backward", values);
}

// Changes of one entry with which its axis has elements; only for a begin inside the axis.
function* waysToFill({ call, answer }, axis) {
  const entry = answer.entries[axis.entry], number = entry.entry, stride = -call.strides[number];
  if (axis.wrapped_begin < 0n || axis.wrapped_begin >= axis.dim || is(entry, "begin") || is(entry, "end")) return;
  const filled = (changed) => {
    const other = resolve(changed).axes[axis.axis];
    return other === undefined || other.count === 0n ? null : `${other.start}..${other.start + (other.count - 1n) * other.step}`;
  };
  const bit = call.masks.map((mask, k) => (k === 1 ? mask | (1 << number) : mask));
  const byBit = number < 31 ? filled({ ...call, masks: bit }) : null;
  if (byBit !== null) yield say("end bit", { entry: number, filled: byBit });
  const byStride = stride < 2n ** 63n ? filled({ ...call, strides: call.strides.with(number, stride) }) : null;
  if (byStride !== null) yield say("other stride", { stride, filled: byStride });
}

// ---- the nearest call that works --------------------------------------------------------------------------------------

// One repair after the other; each is resolved, so the last one does work. null if none does.
function repaired(call, answer) {
  for (let k = 0; k < MAX_REPAIRS && call !== null; k++) {
    if (answer.error === null) return call;
    call = withoutError(call, answer);
    answer = call === null ? null : resolve(call);
  }
  return null;
}

function withoutError(call, answer) {
  const { errorEntry: entry, allowed: [low, high] } = answer, condition = conditionOf(answer);
  const cut = (length) => ({ ...call, begin: call.begin.slice(0, length), end: call.end.slice(0, length), strides: call.strides.slice(0, length) });
  if (condition === "lengths") return cut(Math.min(call.begin.length, call.end.length, call.strides.length));
  if (condition === "max_entries") return cut(Number(high));
  if (condition === "ellipses") return { ...call, masks: call.masks.with(2, call.masks[2] & -call.masks[2]) };
  if (entry < 0) return null;
  if (condition === "no_axis") {
    const without = (vector) => vector.filter((_, i) => i !== entry);
    const [begin, end, strides] = [call.begin, call.end, call.strides].map(without);
    return { ...call, begin, end, strides, masks: call.masks.map((mask) => maskWithout(mask, entry)) };
  }
  if (condition === "zero_step" || condition === "shrunk_step") return { ...call, strides: call.strides.with(entry, 1n) };
  if (low > high) return null; // an index of an empty axis
  const begin = call.begin[entry];
  return { ...call, begin: call.begin.with(entry, begin < low ? low : begin > high ? high : begin) };
}

// The call as it is written in source code.
export function sourceOf(call) {
  const { function: name, vectors: asVectors } = facts.dialects[call.dialect];
  const list = (vector) => `[${vector.join(", ")}]`;
  const vector = (mask) => Array.from({ length: Math.max(call.begin.length, 32 - Math.clz32(mask)) }, (_, i) => (i < 32 ? (mask >>> i) & 1 : 0));
  const text = (mask) => (mask < 0 ? String(mask) : `0b${mask.toString(2)}`);
  const order = asVectors ? [0, 1, 3, 4, 2] : [0, 1, 2, 3, 4];
  const masks = order.filter((k) => (asVectors ? vector(call.masks[k]).includes(1) : call.masks[k] !== 0))
    .map((k) => `, ${MASKS[k]}_mask=${asVectors ? list(vector(call.masks[k])) : text(call.masks[k])}`);
  return `${name}(x, ${[call.begin, call.end, call.strides].map(list).join(", ")}${masks.join("")})`;
}
