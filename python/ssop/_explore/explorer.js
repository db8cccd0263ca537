// The mask explorer: reads a call from the page, has the C core resolve it, and shows what the core wrote down.
// Nothing here knows what a slice means, except for how a NumPy index is written as vectors and masks. `svg` and
// `pictureOf` are those of picture.js, `quirksOf` and `reasons` those of reasons.js.

const MASKS = ["begin", "end", "ellipsis", "new_axis", "shrink_axis"];
// In the order of the enum in csrc/wasm/explorer.c.
const DIALECTS = { tf: "TensorFlow", tflite: "TFLite", openvino: "OpenVINO", onnx: "ONNX",
  onnx_reference: "onnx.reference", onnxruntime: "ONNX Runtime" };
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
  const inner = index.trim().replace(/^(x|np\.s_)?\[|\]$/g, "").trim();
  const items = inner === "" || inner === "()" ? [] : inner.replace(/,$/, "").split(",");
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

// ---- the page ---------------------------------------------------------------------------------------------------------

const byId = (id) => document.getElementById(id);
for (const [value, name] of Object.entries(DIALECTS)) byId("dialect").add(new Option(name, value));

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
    result.textContent = answer.error ?? `shape ${tuple(answer.shape)}, x${answer.index}`;
    byId("picture").innerHTML = answer.error === null ? svg(pictureOf(call, answer)) : "";
    const spec = (i) => [call.begin[i], call.end[i], call.strides[i]];
    table("entries", ["entry", "begin", "end", "stride", "mask bits", "after conflicts", "input axes"],
      answer.entries.map((e) => [e.entry, ...spec(e.entry), e.bits.join(", ") || null, e.kept.join(", ") || null, e.axes.join(", ") || "none"]));
    table("axes", ["axis", "dim", "entry", "begin + dim", "clamp begin", "begin mask", "end + dim", "clamp end", "end mask", "start", "count", "step", "output axis"],
      answer.axes.map((a) => [a.axis, a.dim, a.entry, ...stages(answer, a), a.start, a.count, a.step,
        answer.error === null && answer.outAxes.includes(a.axis) ? answer.outAxes.indexOf(a.axis) : null]));
    const met = quirksOf(call);
    table("dialects", ["rules of", "shape", "NumPy index", "as chosen", "because"], Object.entries(DIALECTS).map(([dialect, name]) => {
      const other = dialect === call.dialect ? answer : resolve({ ...call, dialect });
      const same = other.error === null ? other.index === answer.index : answer.error !== null;
      const why = same || unwritten(answer) || unwritten(other) ? "" : reasons(met, dialect, call.dialect).join("; ");
      if (other.error !== null) return [name, "error", other.error, same ? "yes" : "no", why];
      return [name, tuple(other.shape), `x${other.index}`, same ? "yes" : "no", why];
    }));
  } catch (error) {
    result.className = "error";
    result.textContent = error.message;
    byId("picture").innerHTML = "";
    for (const id of ["entries", "axes", "dialects"]) byId(id).innerHTML = "";
  }
}

// What the stages made of begin and end: nothing where an axis has no entry, and nothing of the end where it is shrunk.
function stages(answer, axis) {
  const begins = [axis.wrapped_begin, axis.clamped_begin, axis.begin], ends = [axis.wrapped_end, axis.clamped_end, axis.end];
  const none = [null, null, null];
  if (axis.entry === null) return [...none, ...none];
  return [...begins, ...(answer.entries[axis.entry].kept.includes("shrink_axis") ? none : ends)];
}

function unwritten(answer) {
  return answer.error !== null && answer.error.startsWith("cannot be written");
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

function edited() {
  byId("index").value = ""; // the index that was typed in is no longer the call
  changed();
}

// Browsers slow down pages that write their address at every key.
let writing = null;

function changed() {
  show();
  clearTimeout(writing);
  writing = setTimeout(writeAddress, ADDRESS_MILLISECONDS);
}

for (const name of FIELDS) byId(name).addEventListener("input", edited);
byId("dialect").addEventListener("change", changed);
byId("masks").addEventListener("change", ({ target }) => {
  const bit = 1 << target.dataset.entry, k = target.dataset.mask;
  state.masks[k] = target.checked ? state.masks[k] | bit : state.masks[k] & ~bit;
  edited();
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

// A page with the explorer in a frame sends the theme that its reader chose, { theme: "dark" }; "auto" is the system's.
const DARK = { light: "not all", dark: "screen", auto: "screen and (prefers-color-scheme: dark)" };
const darkRules = [...document.styleSheets[0].cssRules].filter((rule) => rule.media?.mediaText === DARK.auto);
window.addEventListener("message", ({ data, source }) => {
  if (source !== window.parent || !Object.hasOwn(DARK, data?.theme)) return;
  document.documentElement.style.colorScheme = data.theme === "auto" ? "" : data.theme;
  for (const rule of darkRules) rule.media.mediaText = DARK[data.theme];
  tellHeight();
});

// That page is told how high the explorer is, so that its frame need not scroll.
function tellHeight() {
  if (window.parent !== window) window.parent.postMessage({ height: document.documentElement.offsetHeight }, "*");
}
new ResizeObserver(tellHeight).observe(document.body);
readAddress();
