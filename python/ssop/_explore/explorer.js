// The mask explorer: reads a call from the page, has the C core resolve it, and shows what the core wrote down.
// Nothing here knows what a slice means, except for how a NumPy index is written as vectors and masks.

const MASKS = ["begin", "end", "ellipsis", "new_axis", "shrink_axis"];
const DIALECTS = { tf: "TensorFlow", tflite: "TFLite", openvino: "OpenVINO" };
const FLAGS = { begin: 1n, end: 2n, ellipsis: 4n, new_axis: 8n, shrink_axis: 16n };
const MAX_RANK = 64, MAX_ENTRIES = 128, ENTRY_WORDS = 3, AXIS_WORDS = 10;
// Where things are in the two arrays of csrc/wasm/explorer.c.
const CALL = { dialect: 0, rank: 1, counts: 2, masks: 5, dims: 10 };
const ANSWER = { status: 0, entries: 1, axes: 2, outRank: 3, errorAxis: 4, errorEntry: 5, entry: 6 };
ANSWER.axis = ANSWER.entry + ENTRY_WORDS * MAX_ENTRIES;
ANSWER.outAxis = ANSWER.axis + AXIS_WORDS * MAX_RANK;
const ADDRESS_MILLISECONDS = 200;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n];

const bytes = Uint8Array.from(atob(CORE), (c) => c.charCodeAt(0));
const core = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;

// ---- the core ---------------------------------------------------------------------------------------------------------

// A call is { shape, begin, end, strides: arrays of BigInt; masks: five numbers; dialect }.
function resolve(call) {
  const memory = core.memory.buffer;
  const words = new BigInt64Array(memory, core.explorer_call(), CALL.dims + MAX_RANK + 3 * MAX_ENTRIES);
  const vectors = [call.begin, call.end, call.strides];
  if (call.shape.length > MAX_RANK) throw new Error(`the shape has ${call.shape.length} axes, at most 64 are allowed`);
  if (call.shape.some((dim) => dim < 0n)) throw new Error("a dim is negative");
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

function readAnswer(call) {
  const memory = core.memory.buffer;
  const words = new BigInt64Array(memory, core.explorer_answer(), ANSWER.outAxis + MAX_RANK);
  const entries = [], axes = [];
  for (let i = 0; i < Number(words[ANSWER.entries]); i++) {
    const [flags, first, count] = words.slice(ANSWER.entry + ENTRY_WORDS * i);
    const kept = MASKS.filter((name) => flags & FLAGS[name]);
    const over = Array.from({ length: Number(count) }, (_, k) => Number(first) + k);
    entries.push({ entry: i, bits: bitsOf(call, i), kept, axes: over });
  }
  const names = ["entry", "wrapped_begin", "wrapped_end", "clamped_begin", "clamped_end", "begin", "end"];
  names.push("start", "count", "step");
  for (let axis = 0; axis < Number(words[ANSWER.axes]); axis++) {
    const at = ANSWER.axis + AXIS_WORDS * axis;
    const row = { axis, dim: call.shape[axis] };
    names.forEach((name, k) => (row[name] = words[at + k]));
    row.entry = row.entry < 0n ? null : Number(row.entry);
    axes.push(row);
  }
  if (words[ANSWER.status] !== 0n) return { error: text(core.explorer_message()), entries, axes };
  const out = Array.from({ length: Number(words[ANSWER.outRank]) }, (_, k) => Number(words[ANSWER.outAxis + k]));
  const shape = out.map((axis) => (axis < 0 ? 1n : axes[axis].count));
  return { error: null, shape, outAxes: out, index: indexText(axes, out), entries, axes };
}

function text(pointer) {
  const all = new Uint8Array(core.memory.buffer, pointer);
  return new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
}

function bitsOf(call, entry) {
  return MASKS.filter((_, k) => entry < 32 && (call.masks[k] >> entry) & 1);
}

// Every input axis in order, dropped ones as integers, with None where a new axis stands.
function indexText(axes, out) {
  const items = [];
  let next = 0;
  for (const from of [...out, axes.length]) {
    const stop = from < 0 ? next : from;
    for (; next < stop; next++) items.push(String(axes[next].start));
    if (from < 0) items.push("None");
    else if (from < axes.length) items.push(rangeText(axes[next++]));
  }
  return `[${items.join(", ") || "()"}]`;
}

function rangeText({ start, count, step }) {
  const stop = count === 0n ? 0n : start + (count - 1n) * step + (step > 0n ? 1n : -1n);
  return `${start}:${stop < 0n ? "" : stop}${step === 1n ? "" : `:${step}`}`;
}

// ---- words into numbers -----------------------------------------------------------------------------------------------

function integer(word) {
  const trimmed = word.trim();
  if (!/^-?(\d+|0x[\da-f]+|0b[01]+)$/i.test(trimmed)) throw new Error(`'${trimmed}' is not an integer`);
  const value = trimmed.startsWith("-") ? -BigInt(trimmed.slice(1)) : BigInt(trimmed);
  if (value < INT64[0] || value > INT64[1]) throw new Error(`${trimmed} does not fit int64`);
  return value;
}

function integers(list) {
  const inner = list.trim().replace(/^[[(]|[\])]$/g, "").replace(/,\s*$/, "");
  return inner.trim() === "" ? [] : inner.split(",").map(integer);
}

// As TensorFlow's Python front end encodes an index (ix_s1).
function encodeIndex(index) {
  const call = { begin: [], end: [], strides: [], masks: [0, 0, 0, 0, 0] };
  const inner = index.trim().replace(/^x?\[|\]$/g, "").trim();
  const items = inner === "" || inner === "()" ? [] : inner.replace(/,$/, "").split(",");
  items.forEach((item, i) => {
    const word = item.trim(), parts = word.split(":");
    let [begin, end, stride] = [0n, 0n, 1n];
    if (word === "...") call.masks[2] |= 1 << i;
    else if (word === "None") call.masks[3] |= 1 << i;
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

// ---- the picture ------------------------------------------------------------------------------------------------------

const CELL = [34, 28], LONGEST = 12, LONGEST_OF_LAYER = 8;

function placeOf(axis, index) {
  const away = BigInt(index) - axis.start;
  if (away % axis.step !== 0n) return null;
  const place = away / axis.step;
  return place >= 0n && place < axis.count ? place : null;
}

// The indices that are drawn: of a long axis its ends and the first and last that are taken.
function shown(axis, most = LONGEST) {
  if (axis.dim <= BigInt(most)) return Array.from({ length: Number(axis.dim) }, (_, i) => BigInt(i));
  const wanted = new Set([0n, 1n, axis.dim - 1n]);
  for (const k of [0n, 1n, 2n, axis.count - 1n]) {
    if (k >= 0n && k < axis.count) wanted.add(axis.start + k * axis.step);
  }
  return [...wanted].sort((a, b) => (a < b ? -1 : 1));
}

const ONE = { name: null, dim: 1n, start: 0n, count: 1n, step: 1n };

function grid(rows, columns, first, title, most = LONGEST) {
  const left = rows.name === null ? 0 : 40, top = columns.name === null ? 14 : 44;
  const place = (axis, size) => {
    let at = 0, before = null;
    return shown(axis, most).map((index) => {
      if (before !== null) at += size + (index === before + 1n ? 0 : size / 2);
      before = index;
      return [index, at];
    });
  };
  const across = place(columns, CELL[0]), down = place(rows, CELL[1]), parts = [];
  for (const [row, y] of down) {
    if (rows.name !== null) parts.push(`<text class="index" x="${left - 6}" y="${top + y + 18}" text-anchor="end">${row}</text>`);
    for (const [column, x] of across) {
      const [i, j] = [placeOf(rows, row), placeOf(columns, column)];
      const taken = first !== null && i !== null && j !== null;
      parts.push(`<rect${taken ? ' class="taken"' : ""} x="${left + x}" y="${top + y}" width="34" height="28"></rect>`);
      if (taken) {
        const number = first + i * columns.count + j;
        parts.push(`<text x="${left + x + 17}" y="${top + y + 18}" text-anchor="middle">${number}</text>`);
      }
    }
  }
  if (columns.name !== null) {
    for (const [column, x] of across) {
      parts.push(`<text class="index" x="${left + x + 17}" y="${top - 5}" text-anchor="middle">${column}</text>`);
    }
  }
  const names = [title, rows.name, columns.name].filter((name) => name !== null && name !== "").join("; ");
  const width = left + (across.at(-1)?.[1] ?? 0) + CELL[0] + 2, height = top + (down.at(-1)?.[1] ?? 0) + CELL[1] + 2;
  const wide = Math.max(width, 8 * names.length);
  return `<svg role="img" aria-label="${names}" width="${wide}" height="${height}" viewBox="0 0 ${wide} ${height}"><text x="0" y="12">${names}</text>${parts.join("")}</svg>`;
}

function picture(answer) {
  if (answer.error !== null) return "";
  const arrow = (axis) => (axis.count < 2n ? "" : axis.step > 0n ? " \u2192" : " \u2190");
  const axes = answer.axes.map((axis) => ({ ...axis, name: `axis ${axis.axis} (${axis.dim})${arrow(axis)}` }));
  if (axes.length <= 2) return grid(axes.length === 2 ? axes[0] : ONE, axes.at(-1) ?? ONE, 0n, "");
  if (axes.length === 3) {
    const [layers, rows, columns] = axes;
    return shown(layers, 4).map((index) => {
      const place = placeOf(layers, index);
      const first = place === null ? null : place * rows.count * columns.count;
      return grid(rows, columns, first, `axis 0 at ${index}`, LONGEST_OF_LAYER);
    }).join(" ");
  }
  return axes.map((axis) => `<div>${grid(ONE, axis, 0n, "")}</div>`).join("");
}

// ---- the page ---------------------------------------------------------------------------------------------------------

const byId = (id) => document.getElementById(id);
const FIELDS = ["shape", "begin", "end", "strides"];
const START = { shape: "6,3,4,10", begin: "0,0,2,2", end: "3,2,4,8", strides: "1,1,1,1", masks: "0,0,8,9,4", dialect: "tf" };
const state = { masks: [0, 0, 0, 0, 0] };

function table(id, heads, rows) {
  const escape = (cell) => String(cell).replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const head = heads.map((cell) => `<th scope="col">${escape(cell)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escape(cell ?? "-")}</td>`).join("")}</tr>`).join("");
  byId(id).innerHTML = `<thead><tr>${head}</tr></thead><tbody>${body}</tbody>`;
}

// The checkboxes are made anew only if their number changes, so that the one in use keeps the focus.
function showMasks(count) {
  const holder = byId("masks");
  if (holder.dataset.count !== String(count)) {
    holder.dataset.count = count;
    const numbers = Array.from({ length: count }, (_, i) => i);
    const head = ["entry", ...numbers].map((cell) => `<th scope="col">${cell}</th>`).join("");
    const rows = MASKS.map((name, k) => {
      const box = (i) => `<td><input type="checkbox" data-mask="${k}" data-entry="${i}" aria-label="${name}_mask, entry ${i}"></td>`;
      return `<tr><th scope="row">${name}_mask</th>${numbers.map(box).join("")}</tr>`;
    });
    holder.innerHTML = `<thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody>`;
  }
  for (const box of holder.querySelectorAll("input")) {
    box.checked = Boolean((state.masks[box.dataset.mask] >> box.dataset.entry) & 1);
  }
}

function callOfPage() {
  const call = { masks: state.masks, dialect: byId("dialect").value };
  for (const name of FIELDS) {
    try {
      call[name] = integers(byId(name).value);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
  }
  return call;
}

function show() {
  const result = byId("result");
  try {
    const call = callOfPage(), answer = resolve(call);
    showMasks(Math.min(call.begin.length, 31));
    result.className = answer.error === null ? "" : "error";
    result.textContent = answer.error ?? `shape (${answer.shape.join(", ")}${answer.shape.length === 1 ? "," : ""}), x${answer.index}`;
    byId("picture").innerHTML = picture(answer);
    const spec = (i) => [call.begin[i], call.end[i], call.strides[i]];
    table("entries", ["entry", "begin", "end", "stride", "mask bits", "after conflicts", "input axes"],
      answer.entries.map((e) => [e.entry, ...spec(e.entry), e.bits.join(", ") || null, e.kept.join(", ") || null, e.axes.join(", ") || "none"]));
    table("axes", ["axis", "dim", "entry", "begin + dim", "clamp begin", "begin mask", "end + dim", "clamp end", "end mask", "start", "count", "step", "output axis"],
      answer.axes.map((a) => [a.axis, a.dim, a.entry, a.wrapped_begin, a.clamped_begin, a.begin, a.wrapped_end, a.clamped_end, a.end, a.start, a.count, a.step,
        answer.error === null && answer.outAxes.includes(a.axis) ? answer.outAxes.indexOf(a.axis) : null]));
    table("dialects", ["rules of", "result"], Object.entries(DIALECTS).map(([dialect, name]) => {
      const other = resolve({ ...call, dialect });
      return [name, other.error ?? `shape (${other.shape.join(", ")}), x${other.index}`];
    }));
  } catch (error) {
    result.className = "error";
    result.textContent = error.message;
    byId("picture").innerHTML = "";
    for (const id of ["entries", "axes", "dialects"]) byId(id).innerHTML = "";
  }
}

function writeAddress() {
  const words = new URLSearchParams();
  for (const name of FIELDS) words.set(name, byId(name).value.replace(/\s/g, ""));
  words.set("masks", state.masks.join(","));
  words.set("dialect", byId("dialect").value);
  const hash = `#${words.toString().replace(/%2C/g, ",")}`;
  try {
    history.replaceState(null, "", hash);
  } catch {
    // a page inside a notebook has no address of its own
  }
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const words = { ...START, ...(window.EXPLORER_START ?? {}), ...Object.fromEntries(given) };
  for (const name of FIELDS) byId(name).value = words[name];
  const masks = words.masks.split(",").map((word) => Number(word) | 0);
  state.masks = MASKS.map((_, k) => masks[k] ?? 0);
  byId("dialect").value = words.dialect in DIALECTS ? words.dialect : "tf";
  show();
}

// Browsers slow down pages that write their address at every key.
let writing = null;

function changed() {
  show();
  clearTimeout(writing);
  writing = setTimeout(writeAddress, ADDRESS_MILLISECONDS);
}

for (const name of FIELDS) byId(name).addEventListener("input", changed);
byId("dialect").addEventListener("change", changed);
byId("masks").addEventListener("change", ({ target }) => {
  const bit = 1 << target.dataset.entry, k = target.dataset.mask;
  state.masks[k] = target.checked ? state.masks[k] | bit : state.masks[k] & ~bit;
  changed();
});
byId("index").addEventListener("input", ({ target }) => {
  try {
    const call = encodeIndex(target.value);
    byId("begin").value = call.begin.join(","), byId("end").value = call.end.join(",");
    byId("strides").value = call.strides.join(","), (state.masks = call.masks);
    changed();
  } catch (error) {
    byId("result").className = "error";
    byId("result").textContent = `index: ${error.message}`;
  }
});
window.addEventListener("hashchange", readAddress);
readAddress();
