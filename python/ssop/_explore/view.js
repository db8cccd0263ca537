// Shows a state and its answer in the parts of an explorer. `parts` finds a part by its name.
import { bitsOf, MASKS, rangeText, resolve } from "./core.js";
import { dialectsMarkup } from "./dialects.js";
import { cell, conditionOf, explain, isExplained, sourceOf, tuple } from "./explain.js";
import { escape, FIELD_NAMES, ruleLink, table, withLinks } from "./markup.js";
import { pictureOf, svg } from "./picture.js";
import { strip } from "./strip.js";

// Where an error of the core is shown, by its condition; the others are about the call as a whole.
const FIELDS = { zero_step: "strides", shrunk_step: "strides", shrunk_index: "begin", ellipses: "ellipsis" };
const ONNX_NOTE = "ONNX has no masks: the answer is that of the call written as one Slice.";

// Returns what is said of the answer.
export function showCall(parts, state, call, rules) {
  const answer = resolve(call), told = explain(call, answer);
  showErrors(parts, answer.error === null ? [] : [errorOf(answer)], rules);
  showResult(parts, answer, told, call, rules);
  const picture = showStep(parts, state, call, answer, told, rules);
  showEntries(parts, call, answer, told, picture);
  showBits(parts, call, told, rules);
  parts("stages").innerHTML = told.stages.length === 0 ? "" : table(["stage", "what it does here", "rule"],
    told.stages.map((s) => [escape(s.name), s.changes.map((line) => withLinks(line, rules)).join("<br>") || '<span class="idle">changes nothing</span>', ruleLink(s.label, rules)]));
  parts("axes").innerHTML = axesTable(answer);
  const others = dialectsMarkup(call, answer, rules);
  parts("dialects").innerHTML = others.table;
  parts("others").innerHTML = others.pictures;
  parts("code").value = isExplained(call.dialect) ? sourceOf(call) : "";
  showRules(parts, rules);
  hideEmpty(parts);
  return told;
}

// A heading stands only over something.
function hideEmpty(parts) {
  for (const name of ["stages", "axes", "dialects", "bits", "rules"]) parts(name).closest("section").hidden = parts(name).innerHTML === "";
}

// What is not about a call that cannot be read: nothing but the errors.
export function showFaults(parts, errors, rules) {
  showErrors(parts, errors, rules);
  const { field, entry, message } = errors[0];
  const where = entry === null ? field : `${FIELD_NAMES[field]} of entry ${entry}`;
  parts("result").className = "result error";
  parts("result").textContent = `${where}: ${message}`;
  clear(parts, rules);
  parts("picture").classList.add("stale");
  for (const name of ["first", "back", "next", "last"]) parts(name).disabled = true;
  parts("code").value = "";
}

// Takes everything away that the answer says, but the picture.
function clear(parts, rules) {
  for (const name of ["advice", "step", "stage", "stages", "axes", "dialects", "others", "bits"]) parts(name).innerHTML = "";
  for (const each of parts("editor").querySelectorAll("small, [data-about], [data-strip]")) each.textContent = "";
  for (const each of parts("editor").querySelectorAll(".unread, td.ignored")) each.classList.remove("unread", "ignored");
  showRules(parts, rules);
  hideEmpty(parts);
}

// While a learner is asked for the answer.
export function keepBack(parts, rules) {
  showErrors(parts, [], rules);
  clear(parts, rules);
  for (const name of ["result", "picture"]) parts(name).innerHTML = "";
  parts("code").value = "";
}

function errorOf(answer) {
  const field = FIELDS[conditionOf(answer)] ?? "call";
  return { field, entry: answer.errorEntry < 0 ? null : answer.errorEntry, message: answer.error, placed: true }; // the message says where
}

// Beside the fields that they are about, which are marked.
function showErrors(parts, errors, rules) {
  for (const field of ["index", "shape", "begin", "end", "strides", "ellipsis", "call"]) {
    const about = errors.filter((error) => error.field === field), holder = parts(`${field}-error`);
    if (holder === null) continue;
    const many = parts("editor").querySelectorAll("[data-field]").length > 3;
    const words = about.map(({ entry, message, placed }) => `${placed || entry === null || !many ? "" : `entry ${entry}: `}${message}`);
    holder.innerHTML = words.map((line) => withLinks(line, rules)).join("<br>");
    const single = ["index", "shape"].includes(field) ? [[parts(field), null]] : [];
    const fields = [...parts("editor").querySelectorAll(`[data-field="${field}"]`)].map((each) => [each, Number(each.dataset.entry)]);
    const bits = field !== "ellipsis" ? [] : [...parts("editor").querySelectorAll("[data-mask='2']")];
    for (const [each, entry] of [...single, ...fields, ...bits.map((bit) => [bit, bit.checked ? null : -1])]) {
      if (about.some((error) => error.entry === entry)) each.setAttribute("aria-invalid", "true");
      else each.removeAttribute("aria-invalid");
    }
  }
}

function showResult(parts, answer, told, call, rules) {
  const result = parts("result"), lines = [];
  result.className = answer.error === null ? "result" : "result error";
  result.innerHTML = answer.error === null
    ? `shape <strong>${tuple(answer.shape)}</strong>, <code>x${answer.index}</code>`
    : `error: ${withLinks(answer.error, rules)}`;
  if (told.failed !== null) lines.push(`Found by the stage: ${escape(told.failed)}.`);
  if (told.repair !== null) lines.push(`The nearest call that works: <code>${escape(sourceOf(told.repair))}</code> <button type="button" data-repair>Use it</button>`);
  else if (answer.error !== null && isExplained(call.dialect)) lines.push("No nearby call was found that works.");
  for (const reason of told.empty) lines.push(`${escape(reason[0].toUpperCase() + reason.slice(1))}.`);
  if (!isExplained(call.dialect)) lines.push(ONNX_NOTE);
  parts("advice").innerHTML = lines.map((line) => `<p>${line}</p>`).join("");
}

// ---- stages as steps --------------------------------------------------------------------------------------------------

// How many stages are shown of how many there are, and how many before and after a step: one that changes something.
export function stepOf(state, told) {
  const count = told.stages.length;
  const shown = state.stage === null ? count : Math.min(state.stage, count);
  const stops = [0, ...told.stages.flatMap(({ changes }, k) => (changes.length > 0 ? [k + 1] : [])), count];
  return { count, shown, back: stops.findLast((k) => k < shown) ?? 0, next: stops.find((k) => k > shown) ?? count };
}

// Returns the picture after the steps.
function showStep(parts, state, call, answer, told, rules) {
  const { count, shown } = stepOf(state, told), names = told.stages.map(({ name }) => name);
  const done = (name) => count === 0 || shown === count || names.slice(0, shown).includes(name);
  const stage = shown === 0 ? null : told.stages[shown - 1];
  parts("stage").textContent = count === 0 ? "no stages" : stage === null ? `as given, 0 of ${count}` : `${stage.name}, ${shown} of ${count}`;
  const words = stage === null ? ["begin and end as they are written"] : stage.changes.length > 0 ? stage.changes : ["changes nothing here"];
  parts("step").innerHTML = count === 0 ? "" : `${words.map((line) => withLinks(line, rules)).join("; ")} ${stage === null ? "" : ruleLink(stage.label, rules)}`;
  for (const name of ["first", "back"]) parts(name).disabled = shown === 0;
  for (const name of ["next", "last"]) parts(name).disabled = shown === count;
  parts("picture").classList.remove("stale");
  const picture = pictureOf(call, answer, done);
  parts("picture").innerHTML = svg(picture, rules.prefix);
  return picture;
}

// ---- entries and bits -------------------------------------------------------------------------------------------------

// What the entry takes, as an item of NumPy's index, and of which axes.
function aboutEntry(answer, number) {
  if (conditionOf(answer) === "no_axis" && number === answer.errorEntry) return '<strong class="error">no axis</strong>';
  const entry = answer.entries[number];
  if (entry === undefined) return "";
  if (entry.kept.includes("new_axis")) return "<code>None</code><br>a new axis";
  const axes = `axis ${entry.axes.join(", ")}`;
  if (entry.kept.includes("ellipsis")) return `<code>...</code><br>${entry.axes.length === 0 ? "no axis" : axes}`;
  const axis = answer.axes.find((each) => each.entry === number);
  if (axis === undefined) return axes;
  if (axis.count === 0n) return `nothing<br>${axes}`;
  const item = entry.kept.includes("shrink_axis") ? String(axis.start) : rangeText(axis);
  return `<code>${item}</code><br>${axes}`;
}

function showEntries(parts, call, answer, told, picture) {
  const editor = parts("editor");
  for (const cell of editor.querySelectorAll("[data-strip]")) {
    const axis = answer.axes.find(({ entry }) => entry === Number(cell.dataset.strip));
    cell.innerHTML = axis === undefined ? "" : strip(picture.axes[axis.axis]);
  }
  for (const cell of editor.querySelectorAll("[data-about]")) cell.innerHTML = aboutEntry(answer, Number(cell.dataset.about));
  for (const word of editor.querySelectorAll("[data-word]")) word.textContent = `= ${call.masks[word.dataset.word]}`;
  const known = new Map(told.bits.map((bit) => [`${MASKS.indexOf(bit.mask)}-${bit.entry}`, bit]));
  for (const box of editor.querySelectorAll("[data-mask]")) {
    const bit = known.get(`${box.dataset.mask}-${box.dataset.entry}`), word = box.closest("td").querySelector("small");
    word.textContent = bit === undefined ? "" : bit.matters ? "matters" : "ignored";
    box.closest("td").className = bit === undefined || bit.matters ? "" : "ignored";
  }
  for (const field of editor.querySelectorAll("[data-field]")) {
    field.classList.toggle("unread", isUnread(call, answer, Number(field.dataset.entry), field.dataset.field));
  }
}

// Whether a number of an entry has no meaning: the trace says which bits the entry keeps.
function isUnread(call, answer, number, field) {
  const kept = answer.entries[number]?.kept ?? [], axis = answer.axes.find((each) => each.entry === number);
  if (kept.includes("ellipsis") || kept.includes("new_axis")) return true;
  if (kept.includes("shrink_axis")) return field === "end" || (field === "begin" && axis !== undefined && axis.begin !== axis.clamped_begin);
  return kept.includes(field);
}

function showBits(parts, call, told, rules) {
  const line = (bit) => `<li><strong>${bit.mask}_mask</strong>, entry ${bit.entry}: <span class="${bit.matters ? "matters" : "ignored"}">${bit.matters ? "matters" : "ignored"}</span>, ${withLinks(bit.why, rules)} ${ruleLink(bit.label, rules)}</li>`;
  const anySet = Array.from({ length: 32 }, (_, i) => bitsOf(call, i).length).some((count) => count > 0);
  const none = anySet ? "" : "<li>No bit is set.</li>";
  parts("bits").innerHTML = told.bits.map(line).join("") || none;
}

// ---- tables -----------------------------------------------------------------------------------------------------------

const AXES = ["axis", "dim", "entry", "begin + dim", "clamp begin", "begin mask", "end + dim", "clamp end", "end mask", "start", "count", "step", "output axis"];

function axesTable(answer) {
  if (answer.axes.length === 0) return "";
  return table(AXES, answer.axes.map((a) => [a.axis, a.dim, a.entry, ...boundsOf(answer, a), a.start, a.count, a.step,
    answer.error === null && answer.outAxes.includes(a.axis) ? answer.outAxes.indexOf(a.axis) : null]));
}

// What the stages made of begin and end: nothing where an axis has no entry, and nothing of the end where it is shrunk.
function boundsOf(answer, axis) {
  const begins = [axis.wrapped_begin, cell(axis.clamped_begin), cell(axis.begin)];
  const ends = [axis.wrapped_end, cell(axis.clamped_end), cell(axis.end)];
  const none = [null, null, null];
  if (axis.entry === null) return [...none, ...none];
  return [...begins, ...(answer.entries[axis.entry].kept.includes("shrink_axis") ? none : ends)];
}

// The rules that are linked, each with what it says.
function showRules(parts, rules) {
  const links = [...parts("rules").closest(".more").parentElement.querySelectorAll("[data-rule]")].filter((link) => !link.closest("dl"));
  const known = [...new Set(links.map((link) => link.dataset.rule))].filter((label) => Object.hasOwn(rules.titles, label)).sort();
  parts("rules").innerHTML = known.map((label) => `<dt id="${rules.prefix}rule-${label}" tabindex="-1">${rules.pages[label] ? ruleLink(label, rules) : label}</dt><dd>${escape(rules.titles[label])}</dd>`).join("");
}
