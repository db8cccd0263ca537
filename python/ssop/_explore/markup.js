// Text as markup, and the parts of an explorer as HTML. Ids begin with a prefix, so that a page can have several.
import { DIALECTS, MASKS } from "./core.js";
import { wordsOfBit } from "./explain.js";
import { LESSONS } from "./lessons.js";
import { DIFFICULTIES, TOPICS } from "./quiz.js";

export const escape = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

// A label of a rule, as a link to it; see `rules` of an explorer.
export const ruleLink = (label, rules) => label === "" ? "" :
  `<a class="rule" data-rule="${label}" href="${escape(rules.pages[label] ?? `#${rules.prefix}rule-${label}`)}"${rules.pages[label] ? ' target="_top"' : ""}>${label}</a>`;

// Text in which labels in brackets are links.
export const withLinks = (text, rules) =>
  escape(text).replace(/\[([a-z]+_[cs]\d+)\]/g, (_, label) => `[${ruleLink(label, rules)}]`);

export function table(heads, rows) {
  const head = heads.map((cell) => `<th scope="col">${escape(cell)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell ?? "-"}</td>`).join("")}</tr>`).join("");
  return `<thead><tr>${head}</tr></thead><tbody>${body}</tbody>`;
}

const MODES = { "": "Explore", predict: "Predict first", quiz: "Quiz" };

export const FIELD_NAMES = { begin: "begin", end: "end", strides: "stride" };

const box = (id, title, content, { level = 2, hidden = "" } = {}) =>
  `<section aria-labelledby="${id}-title"${hidden}><h${level} id="${id}-title">${title}</h${level}>${content}</section>`;
const scrolled = (id, name) =>
  `<div class="wide" role="region" aria-labelledby="${id}-title" tabindex="0"><table id="${id}" aria-label="${name}"></table></div>`;

// What each mask does, and several at once, by the rules that say it; and how a call writes them.
function helpMarkup(rules) {
  const masks = MASKS.map((mask) => [`${mask}_mask`, ...(wordsOfBit(mask) ?? [rules.titles.ss_s5, "ss_s5"])]);
  const together = [["several bits on one entry", rules.titles.ss_s1, "ss_s1"], ["an axis without an entry", "is kept whole", "ss_s2"],
    ["in a call", "masks are written in binary, read from the right: 0b10 is bit 1, that of entry 1", ""]];
  return [...masks, ...together].map(([name, words, label]) => `<li><strong>${name}</strong>: ${escape(words)} ${ruleLink(label, rules)}</li>`).join("");
}

const practiceMarkup = (id, options) => `<div id="${id("practice")}" class="practice" hidden>
<div id="${id("choice")}" class="choice">
<div class="field"><label for="${id("count")}">Questions</label><input type="number" id="${id("count")}" min="1" max="100" value="10"></div>
<div class="field"><label for="${id("difficulty")}">Difficulty</label><select id="${id("difficulty")}">${options.difficulties}</select></div>
<div class="field"><label for="${id("topic")}">About</label><select id="${id("topic")}">${options.topics}</select></div>
<button type="button" id="${id("start")}">Start the quiz</button></div>
<div id="${id("guess")}"><p id="${id("question")}"></p>
<div id="${id("marks")}" class="wide marks" role="region" aria-label="Your marks"></div>
<div class="choice"><div class="field"><label for="${id("guess-shape")}">Shape of the result</label><input type="text" id="${id("guess-shape")}" spellcheck="false" autocomplete="off"></div>
<label class="tick"><input type="checkbox" id="${id("guess-error")}"> it is an error</label>
<button type="button" id="${id("check")}">Check</button><button type="button" id="${id("another")}" hidden></button></div>
<div role="status"><p id="${id("verdict")}"></p><ul id="${id("decided")}" class="bits"></ul></div></div>
<p id="${id("score")}" class="score" role="status"></p>
<div class="field"><label for="${id("graded")}">Your answers as JSON</label><span class="row"><input type="text" id="${id("graded")}" readonly><button type="button" data-copy="graded">Copy</button></span></div>
</div>`;

export function explorerMarkup(prefix, rules) {
  const id = (name) => `${prefix}${name}`;
  const options = (pairs) => pairs.map(([value, name]) => `<option value="${value}">${escape(name)}</option>`).join("");
  const field = (name, label, note) =>
    `<div class="field"><label for="${id(name)}">${label}</label><input type="text" id="${id(name)}" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="${id(`${name}-error`)} ${id(`${name}-note`)}"><small id="${id(`${name}-note`)}">${note}</small><p class="error" id="${id(`${name}-error`)}"></p></div>`;
  const modes = Object.entries(MODES).map(([word, name]) => `<label><input type="radio" id="${id(`mode-${word || "explore"}`)}" name="${id("mode")}" data-practice="${word}"><span>${name}</span></label>`).join("");
  const choices = { difficulties: options(Object.entries(DIFFICULTIES)), topics: options([["", "everything"], ...Object.entries(TOPICS)]) };
  return `<div class="columns">
<div class="controls">
<div class="modes" role="radiogroup" aria-label="What to do">${modes}</div>
<div class="field"><label for="${id("lesson")}">Lesson</label><span class="row"><select id="${id("lesson")}">${options([["", "(your own call)"], ...LESSONS.map(({ name }, k) => [k, `${k + 1}. ${name}`])])}</select><button type="button" id="${id("reset")}">Reset</button></span><small id="${id("hint")}"></small></div>
${field("index", "NumPy index", "replaces all entries, as in <code>1, 2:4, None, ..., ::-1</code>")}
<div class="pair">${field("shape", "Shape of x", "dims with commas")}
<div class="field"><label for="${id("dialect")}">Rules of</label><select id="${id("dialect")}">${options(Object.entries(DIALECTS))}</select></div></div>
${box(id("editor"), "Entries", `<div class="wide"><table id="${id("editor")}" class="editor" aria-label="Entries"></table></div><p><small>A switch of entry i is bit i of its mask, and counts 2<sup>i</sup>. Numbers that are crossed out are not read.</small></p><p class="error" id="${id("call-error")}"></p><p class="row"><button type="button" id="${id("add")}">Add an entry</button></p><details><summary>What the masks do</summary><ul class="bits">${helpMarkup(rules)}</ul></details>`)}
</div>
<div class="answer">
${practiceMarkup(id, choices)}
<div id="${id("shown")}">
<p id="${id("result")}" class="result" role="status" aria-live="polite"></p>
<div id="${id("advice")}" class="advice"></div>
<div class="stepper" role="group" aria-label="Stages"><button type="button" id="${id("first")}" aria-label="first stage">|&lt;</button><button type="button" id="${id("back")}" aria-label="one stage back">&lt;</button><span id="${id("stage")}"></span><button type="button" id="${id("next")}" aria-label="one stage on">&gt;</button><button type="button" id="${id("last")}" aria-label="last stage">&gt;|</button></div>
<p id="${id("step")}" class="step"></p><p id="${id("said")}" class="unseen" role="status"></p>
<div id="${id("picture")}" class="wide picture" role="region" aria-label="Picture" tabindex="0"></div>
</div>
</div>
<div class="reasons">
${box(id("bits"), "Mask bits", `<ul id="${id("bits")}" class="bits"></ul>`)}
${box(id("stages"), "Stages in words", scrolled(id("stages"), "Stages"))}
</div>
</div>
<div class="more">
${box(id("dialects"), "The same call by other rules", `${scrolled(id("dialects"), "Other rules")}<div id="${id("others")}"></div>`)}
${box(id("axes"), "Axes, stage by stage", scrolled(id("axes"), "Axes"))}
${box(id("rules"), "Rules met", `<dl id="${id("rules")}"></dl>`)}
${box(id("share"), "Share", `<div class="field"><label for="${id("link")}">Link to this state</label><span class="row"><input type="text" id="${id("link")}" readonly><button type="button" data-copy="link">Copy</button></span></div><div class="field"><label for="${id("frame")}">A frame with this state</label><span class="row"><input type="text" id="${id("frame")}" readonly><button type="button" data-copy="frame">Copy</button></span></div><div class="field"><label for="${id("code")}">The call</label><span class="row"><input type="text" id="${id("code")}" readonly><button type="button" data-copy="code">Copy</button></span></div><p id="${id("copied")}" role="status"></p>`)}
</div>`;
}

// The fields of the entries, one column each. Under each row of numbers is room for errors about them.
export function editorMarkup(prefix, count) {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const row = (name, cells, kind = "") => `<tr${kind}><th scope="row">${name}</th>${cells.join("")}</tr>`;
  const head = numbers.map((i) => `<th scope="col">entry ${i} <button type="button" data-remove="${i}" aria-label="remove entry ${i}">&#215;</button></th>`);
  const errors = (field) => `<tr class="errors"><td colspan="${count + 1}"><p class="error" id="${prefix}${field}-error"></p></td></tr>`;
  const vectors = Object.entries(FIELD_NAMES).map(([field, name]) => {
    const input = (i) => `<td><input type="text" inputmode="text" data-field="${field}" data-entry="${i}" aria-label="${name}, entry ${i}" aria-describedby="${prefix}${field}-error" spellcheck="false" autocomplete="off"></td>`;
    return `${row(name, numbers.map(input))}${errors(field)}`;
  });
  const masks = MASKS.map((name, k) => {
    const toggle = (i) => `<td><label class="switch"><input type="checkbox" data-mask="${k}" data-entry="${i}" aria-label="${name}_mask, entry ${i}" aria-describedby="${prefix}bit-${k}-${i}"><span></span></label><small id="${prefix}bit-${k}-${i}"></small></td>`;
    return row(`${name}_<wbr>mask <small data-word="${k}"></small>`, numbers.map(toggle), ' class="mask"') + (name === "ellipsis" ? errors(name) : "");
  });
  const strips = row("axis", numbers.map((i) => `<td data-strip="${i}"></td>`), ' class="strips"');
  const last = numbers.map((i) => `<td data-about="${i}"></td>`);
  return `<thead><tr><td></td>${head.join("")}</tr></thead><tbody>${vectors.join("")}${strips}</tbody><tbody>${masks.join("")}${row("takes", last, ' class="takes"')}</tbody>`;
}
