// The C core, compiled to WebAssembly: what a call takes, with what every stage made of it. Nothing else here knows
// what a slice means. A call is { shape, begin, end, strides: arrays of BigInt; masks: five int32; dialect }.

import { unpacked } from "./unpack.js";

export const MASKS = ["begin", "end", "ellipsis", "new_axis", "shrink_axis"];
// In the order of the enum in csrc/wasm/explorer.c.
export const DIALECTS = { tf: "TensorFlow", tflite: "TFLite", openvino: "OpenVINO", onnx: "ONNX",
  onnx_reference: "onnx.reference", onnxruntime: "ONNX Runtime" };
const FLAGS = { begin: 1n, end: 2n, ellipsis: 4n, new_axis: 8n, shrink_axis: 16n };
const MAX_RANK = 64, MAX_ENTRIES = 128, ENTRY_WORDS = 3, AXIS_WORDS = 10;
// Where things are in the two arrays of csrc/wasm/explorer.c.
const CALL = { dialect: 0, rank: 1, counts: 2, masks: 5, dims: 10 };
const ANSWER = { status: 0, entries: 1, axes: 2, outRank: 3, errorAxis: 4, errorEntry: 5, errorLow: 6, errorHigh: 7, entry: 8 };
ANSWER.axis = ANSWER.entry + ENTRY_WORDS * MAX_ENTRIES;
ANSWER.outAxis = ANSWER.axis + AXIS_WORDS * MAX_RANK;
const TRACED = ["entry", "wrapped_begin", "wrapped_end", "clamped_begin", "clamped_end", "begin", "end", "start", "count", "step"];

let core = null;

// `packed` is the module, as unpack.js reads it.
export async function loadCore(packed) {
  core = (await WebAssembly.instantiate(await unpacked(packed).arrayBuffer())).instance.exports;
}

export function checkShape(shape) {
  if (shape.length > MAX_RANK) throw new Error(`there are ${shape.length} axes, at most 64 are allowed`);
  if (shape.some((dim) => dim < 0n)) throw new Error("a dim is negative");
}

export function resolve(call) {
  checkShape(call.shape);
  const words = new BigInt64Array(core.memory.buffer, core.explorer_call(), CALL.dims + MAX_RANK + 3 * MAX_ENTRIES);
  const vectors = [call.begin, call.end, call.strides];
  words[CALL.dialect] = BigInt(Object.keys(DIALECTS).indexOf(call.dialect));
  words[CALL.rank] = BigInt(call.shape.length);
  call.shape.forEach((dim, axis) => (words[CALL.dims + axis] = dim));
  vectors.forEach((vector, k) => {
    words[CALL.counts + k] = BigInt(vector.length);
    const at = CALL.dims + MAX_RANK + k * MAX_ENTRIES;
    vector.slice(0, MAX_ENTRIES).forEach((value, i) => (words[at + i] = value));
  });
  call.masks.forEach((mask, k) => (words[CALL.masks + k] = BigInt(mask | 0)));
  core.explorer_resolve();
  return readAnswer(call);
}

// { error, label, entries, axes, shape, outAxes, index }; of an error also where it is and what its rule allows.
function readAnswer(call) {
  const words = new BigInt64Array(core.memory.buffer, core.explorer_answer(), ANSWER.outAxis + MAX_RANK);
  const entries = [], axes = [];
  for (let i = 0; i < Number(words[ANSWER.entries]); i++) {
    const [flags, first, count] = words.slice(ANSWER.entry + ENTRY_WORDS * i);
    const kept = MASKS.filter((name) => flags & FLAGS[name]);
    const over = Array.from({ length: Number(count) }, (_, k) => Number(first) + k);
    entries.push({ entry: i, bits: bitsOf(call, i), kept, axes: over });
  }
  for (let axis = 0; axis < Number(words[ANSWER.axes]); axis++) {
    const at = ANSWER.axis + AXIS_WORDS * axis;
    const row = { axis, dim: call.shape[axis] };
    TRACED.forEach((name, k) => (row[name] = words[at + k]));
    row.entry = row.entry < 0n ? null : Number(row.entry);
    axes.push(row);
  }
  if (words[ANSWER.status] !== 0n) {
    const error = text(core.explorer_message()), label = /\[(\w+)\]$/.exec(error)?.[1] ?? "";
    const [errorAxis, errorEntry] = [words[ANSWER.errorAxis], words[ANSWER.errorEntry]].map(Number);
    const allowed = [words[ANSWER.errorLow], words[ANSWER.errorHigh]];
    return { error, label, errorAxis, errorEntry, allowed, entries, axes };
  }
  const out = Array.from({ length: Number(words[ANSWER.outRank]) }, (_, k) => Number(words[ANSWER.outAxis + k]));
  const shape = out.map((axis) => (axis < 0 ? 1n : axes[axis].count));
  return { error: null, label: "", shape, outAxes: out, index: indexText(axes, out), entries, axes };
}

function text(pointer) {
  const all = new Uint8Array(core.memory.buffer, pointer);
  return new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
}

export function bitsOf(call, entry) {
  return MASKS.filter((_, k) => entry < 32 && (call.masks[k] >> entry) & 1);
}

// Every input axis in order, and -1 where a new axis stands.
export function axesInOrder(axes, out) {
  const items = [];
  let next = 0;
  for (const from of [...out, axes.length]) {
    while (next < (from < 0 ? next : from)) items.push(next++);
    if (from < 0) items.push(-1);
    else if (from < axes.length) items.push(next++);
  }
  return items;
}

// With dropped axes as integers, and None where a new axis stands.
function indexText(axes, out) {
  const item = (axis) => (axis < 0 ? "None" : out.includes(axis) ? rangeText(axes[axis]) : String(axes[axis].start));
  return `[${axesInOrder(axes, out).map(item).join(", ") || "()"}]`;
}

export function rangeText({ start, count, step }) {
  const stop = count === 0n ? 0n : start + (count - 1n) * step + (step > 0n ? 1n : -1n);
  return `${start}:${stop < 0n ? "" : stop}${step === 1n ? "" : `:${step}`}`;
}
