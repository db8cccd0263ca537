// The state of an explorer: what its fields hold as text, and how that becomes a call. No page is needed.
//
// A state is { shape, entries: [{ begin, end, strides }], masks: five int32, dialect, stage, practice }. `stage` is the
// number of stages that are shown, null for all; practice.js says what `practice` is.
import { checkShape, DIALECTS, MASKS } from "./core.js";

export const VECTORS = ["begin", "end", "strides"];
export const MAX_COLUMNS = 31;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n];

export function integer(word) {
  const trimmed = word.trim();
  if (trimmed === "") throw new Error("a number is missing");
  if (!/^[-+]?(\d+|0x[\da-f]+|0b[01]+)$/i.test(trimmed)) throw new Error(`'${trimmed}' is not an integer`);
  const value = /^[-+]/.test(trimmed) ? BigInt(trimmed.slice(1)) * (trimmed[0] === "-" ? -1n : 1n) : BigInt(trimmed);
  if (value < INT64[0] || value > INT64[1]) throw new Error(`${trimmed} does not fit int64`);
  return value;
}

const listed = (text) => {
  const inner = text.trim().replace(/^[[(]|[\])]$/g, "").replace(/,\s*$/, "");
  return inner.trim() === "" ? [] : inner.split(",").map((word) => word.trim());
};

export const integers = (text) => listed(text).map(integer);

// As TensorFlow's Python front end encodes an index (ix_s1).
export function encodeIndex(index) {
  const call = { begin: [], end: [], strides: [], masks: [0, 0, 0, 0, 0] };
  const inner = index.trim().replace(/^(x|np\.s_)?\[|\]$/g, "").trim();
  const items = inner === "" || inner === "()" ? [] : inner.replace(/,$/, "").split(",");
  if (items.length > MAX_COLUMNS) throw new Error(`an index has at most ${MAX_COLUMNS} items here`);
  items.forEach((item, i) => {
    const word = item.trim(), parts = word.split(":");
    let [begin, end, stride] = [0n, 0n, 1n];
    if (word === "...") call.masks[2] |= 1 << i;
    else if (/^(None|(np\.)?newaxis)$/.test(word)) call.masks[3] |= 1 << i;
    else if (parts.length === 1) {
      begin = integer(word);
      end = begin === INT64[1] ? begin : begin + 1n;
      call.masks[4] |= 1 << i;
    } else if (parts.length <= 3) {
      const [b, e, s] = parts.map((part) => (part.trim() === "" ? null : integer(part)));
      if (b === null) call.masks[0] |= 1 << i;
      if (e === null) call.masks[1] |= 1 << i;
      [begin, end, stride] = [b ?? 0n, e ?? 0n, s ?? 1n];
    } else throw new Error(`'${word}' is no part of an index`);
    call.begin.push(begin), call.end.push(end), call.strides.push(stride);
  });
  return call;
}

// The words of an address: { shape, begin, end, strides, masks, dialect, stage, practice }, where all but the shape may be left out.
export function stateOf(words) {
  const lists = VECTORS.map((name) => listed(words[name] ?? ""));
  const count = Math.min(MAX_COLUMNS + 1, Math.max(...lists.map((list) => list.length))); // of more, callOf tells
  const entries = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(VECTORS.map((name, k) => [name, lists[k][i] ?? (name === "strides" && !words.strides ? "1" : "")])));
  const masks = (words.masks ?? "").split(",").map((word) => Number(word) | 0);
  const dialect = Object.hasOwn(DIALECTS, words.dialect) ? words.dialect : "tf";
  const stage = /^\d+$/.test(words.stage ?? "") ? Number(words.stage) : null;
  return { shape: words.shape, entries, masks: MASKS.map((_, k) => masks[k] ?? 0), dialect, stage, practice: words.practice ?? "" };
}

export function wordsOf(state) {
  const words = { shape: state.shape.replace(/\s/g, "") };
  for (const name of VECTORS) words[name] = state.entries.map((entry) => entry[name].trim()).join(",");
  words.masks = state.masks.join(",");
  words.dialect = state.dialect;
  if (state.stage !== null) words.stage = String(state.stage);
  if (state.practice !== "") words.practice = state.practice;
  return words;
}

export function withIndex(state, index) {
  const { begin, end, strides, masks } = encodeIndex(index);
  const entries = begin.map((_, i) => ({ begin: `${begin[i]}`, end: `${end[i]}`, strides: `${strides[i]}` }));
  return { ...state, entries, masks, stage: null };
}

export function withCall(state, call) {
  const entries = call.begin.map((_, i) => Object.fromEntries(VECTORS.map((name) => [name, String(call[name][i])])));
  return { ...state, shape: call.shape.join(","), entries, masks: call.masks, dialect: call.dialect };
}

// { call } or, where fields hold no call, { errors: [{ field, entry, message }] }; entry is null for the shape.
export function callOf(state) {
  const errors = [], call = { masks: state.masks, dialect: state.dialect, shape: [] };
  const read = (field, entry, make) => {
    try {
      return make();
    } catch (error) {
      errors.push({ field, entry, message: error.message });
      return null;
    }
  };
  call.shape = read("shape", null, () => {
    const shape = integers(state.shape);
    checkShape(shape);
    return shape;
  });
  for (const name of VECTORS) call[name] = state.entries.map((entry, i) => read(name, i, () => integer(entry[name])));
  if (state.entries.length > MAX_COLUMNS) {
    errors.push({ field: "begin", entry: MAX_COLUMNS, message: `a call has at most ${MAX_COLUMNS} entries here` });
  }
  return errors.length > 0 ? { call: null, errors } : { call, errors };
}

export function setBit(state, mask, entry, on) {
  const masks = state.masks.map((bits, k) => (k !== mask ? bits : on ? bits | (1 << entry) : bits & ~(1 << entry)));
  return { ...state, masks };
}

// Without one entry: the bits of those after it move down.
export function maskWithout(mask, entry) {
  const word = BigInt(mask >>> 0), at = BigInt(entry);
  return Number(BigInt.asIntN(32, (word & ((1n << at) - 1n)) | ((word >> (at + 1n)) << at)));
}

export function withoutEntry(state, entry) {
  const entries = state.entries.filter((_, i) => i !== entry);
  return { ...state, entries, masks: state.masks.map((mask) => maskWithout(mask, entry)) };
}

// With a whole axis as a new last entry, which has no other bits: bits without an entry stay without one.
export function withEntry(state) {
  const at = state.entries.length, low = (1 << at) - 1;
  const masks = state.masks.map((mask, k) => (mask & low) | ((mask & ~low) << 1) | (k < 2 ? 1 << at : 0));
  return { ...state, entries: [...state.entries, { begin: "0", end: "0", strides: "1" }], masks };
}
