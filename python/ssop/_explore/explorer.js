// An explorer in an element: its parts, what a reader does to them, and the state that they show. Nothing here needs a
// page of its own: the address, the theme and the frame belong to page.js.
import { loadCore } from "./core.js";
import { loadWords } from "./explain.js";
import { FIRST, LESSONS } from "./lessons.js";
import { editorMarkup, escape, explorerMarkup } from "./markup.js";
import { practise } from "./practice.js";
import { loadQuirks } from "./reasons.js";
import { callOf, MAX_COLUMNS, setBit, stateOf, withCall, withEntry, withIndex, withoutEntry, wordsOf } from "./state.js";
import { keepBack, showCall, showFaults, stepOf } from "./view.js";

// `facts` are those of ssop/_explore/explorer.py: { core, quirks, explained, titles }.
export async function load(facts) {
  await loadCore(facts.core);
  loadQuirks(facts.quirks);
  loadWords(facts.explained);
}

// Returns { words, show }: the words of the state that is shown, and a function that shows other words. `link` makes a
// link of words; `changed` is called after each change by the reader, with the call, null where the fields hold none.
// With `fixed`, the shape is that of an array and stays. `graded` gets the answers of a quiz.
export function mount(root, { words = null, prefix = "", titles = {}, pages = {}, fixed = false, link = null, changed = () => {}, graded = () => {} }) {
  const parts = (name) => root.querySelector(`#${CSS.escape(prefix + name)}`), rules = { titles, pages, prefix };
  root.innerHTML = explorerMarkup(prefix, rules);
  const begin = words ?? FIRST;
  let state = stateOf(begin), lesson = words === null ? "0" : "", told = null;
  const practice = practise(root, parts, rules, { ask, show, graded });
  parts("shape").readOnly = fixed;
  parts("lesson").closest(".field").hidden = fixed;

  function showFields() {
    const editor = parts("editor"), count = state.entries.length;
    if (editor.dataset.count !== String(count)) {
      editor.dataset.count = count; // made anew only then, so that the field in use keeps the focus
      editor.innerHTML = editorMarkup(prefix, count);
    }
    const put = (field, text) => field.value !== text && (field.value = text);
    put(parts("shape"), state.shape);
    for (const each of editor.querySelectorAll("[data-field]")) put(each, state.entries[each.dataset.entry][each.dataset.field]);
    for (const each of editor.querySelectorAll("[data-mask]")) each.checked = Boolean((state.masks[each.dataset.mask] >> each.dataset.entry) & 1);
    parts("dialect").value = state.dialect;
    parts("lesson").value = lesson;
    parts("hint").textContent = lesson === "" ? "" : LESSONS[lesson].hint;
    const isLocked = practice.isLocked(), fields = editor.querySelectorAll("input, button");
    for (const each of [...fields, ...["index", "shape", "dialect", "lesson", "reset"].map(parts)]) each.disabled = isLocked;
    parts("add").disabled = isLocked || count >= MAX_COLUMNS;
    for (const each of root.querySelectorAll("[data-practice]")) each.checked = each.dataset.practice === state.practice.split(",")[0];
  }

  // A question of a quiz, or the call that is practised again.
  function ask(call, word) {
    lesson = "";
    state = { ...withCall(state, call), stage: null, practice: word };
    update();
  }

  function show() {
    const first = practice.turnTo(state.practice);
    if (first !== null) state = withCall(state, first);
    showFields();
    const read = callOf(state), isAsked = practice.keepsBack(state.practice, read.call);
    parts("shown").hidden = isAsked;
    if (read.call === null) showFaults(parts, read.errors, rules);
    else if (isAsked) keepBack(parts, rules);
    told = read.call === null || isAsked ? null : showCall(parts, state, read.call, rules);
    showShare();
    return read.call;
  }

  function showShare() {
    const address = link?.(wordsOf(state)) ?? "";
    for (const name of ["link", "frame"]) parts(name).closest(".field").hidden = address === "";
    parts("link").value = address;
    parts("frame").value = `<iframe src="${escape(address)}" title="Mask explorer" width="100%" height="900" style="border:0"></iframe>`;
  }

  // A change of the call by hand: the index that was typed in is no longer it.
  function edit(next) {
    state = { ...next, stage: null };
    parts("index").value = "";
    update();
  }

  function update() {
    const call = show();
    changed(wordsOf(state), call);
  }

  function step(to) {
    if (told === null) return;
    const steps = stepOf(state, told), stage = { ...steps, first: 0, last: steps.count }[to];
    state = { ...state, stage: stage === steps.count ? null : stage };
    update();
    parts("said").textContent = `${parts("stage").textContent}: ${parts("step").textContent}`;
  }

  function start(from, number) {
    lesson = number;
    edit({ ...stateOf({ dialect: "tf", ...from }), practice: state.practice });
  }

  root.addEventListener("input", ({ target }) => {
    const { field, entry } = target.dataset;
    if (target === parts("shape")) edit({ ...state, shape: target.value });
    else if (field) edit({ ...state, entries: state.entries.map((each, i) => (i === Number(entry) ? { ...each, [field]: target.value } : each)) });
    else if (target === parts("index")) typeIndex(target.value);
  });

  function typeIndex(text) {
    if (text.trim() === "") return show(); // about to be typed: the entries stay
    try {
      state = withIndex(state, text);
    } catch (error) {
      showFaults(parts, [{ field: "index", entry: null, message: error.message }], rules);
      return;
    }
    lesson = "";
    update();
  }

  root.addEventListener("change", ({ target }) => {
    if (target.dataset.mask) edit(setBit(state, Number(target.dataset.mask), Number(target.dataset.entry), target.checked));
    else if ("practice" in target.dataset) (state = { ...state, practice: target.dataset.practice, stage: null }), update();
    else if (target === parts("dialect")) (state = { ...state, dialect: target.value, stage: null }), update();
    else if (target === parts("lesson") && target.value !== "") start(LESSONS[target.value].words, target.value);
  });

  for (const name of ["first", "back", "next", "last"]) parts(name).addEventListener("click", () => step(name));
  parts("add").addEventListener("click", () => {
    edit(withEntry(state));
    parts("editor").querySelector(`[data-field="begin"][data-entry="${state.entries.length - 1}"]`).focus();
  });
  parts("reset").addEventListener("click", () => (lesson === "" ? start(begin, words === null ? "0" : "") : start(LESSONS[lesson].words, lesson)));

  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove], [data-repair], [data-copy], [data-rule]");
    if (button === null) return;
    if (button.dataset.remove) {
      edit(withoutEntry(state, Number(button.dataset.remove)));
      (parts("editor").querySelector("[data-remove]") ?? parts("add")).focus();
    } else if ("repair" in button.dataset) edit(withCall(state, told.repair)), parts("picture").focus();
    else if (button.dataset.copy) copy(button.dataset.copy);
    else if (!rules.pages[button.dataset.rule]) goTo(event, button.dataset.rule);
  });

  async function copy(name) {
    parts(name).select();
    try {
      await navigator.clipboard.writeText(parts(name).value);
      parts("copied").textContent = "copied";
    } catch {
      parts("copied").textContent = "selected: copy it with your keyboard"; // a frame may not write the clipboard
    }
  }

  // To the rule on this page, whose address is that of the call.
  function goTo(event, label) {
    const rule = parts(`rule-${label}`);
    event.preventDefault();
    rule?.scrollIntoView({ block: "center" });
    rule?.focus();
  }

  show();
  return {
    words: () => wordsOf(state),
    show: (other) => (practice.restart(), (lesson = ""), (state = stateOf({ ...begin, ...other })), show()),
  };
}
