// Predict first, and quizzes: a learner says what he expects of a call, and sees then what it takes.
//
// What is practised is a word of the state: "" for nothing, "predict", "quiz" for one that is not chosen yet, and
// "quiz," with the text of a quiz.
import { isExplained, sourceOf, tuple } from "./explain.js";
import { escape, withLinks } from "./markup.js";
import { svg } from "./picture.js";
import { blank, canMark, cellNames, grade } from "./predict.js";
import { drawQuiz, keyOf, quizOf, textOf } from "./quiz.js";

const NOT_YET = "Mark the cells that are taken, type the shape, or say that it is an error.";
const SHAPE_TOO = "Type the shape of the result, too; () is that of a scalar.";

// `ask` shows another call, `show` the same one again; `graded` gets all answers of a quiz after each.
export function practise(root, parts, rules, { ask, show, graded }) {
  let practice = null, questions = [], record = [], marks = new Set(), current = null, answered = null, focus = 0;
  const isQuiz = () => questions.length > 0;

  // Begins what is practised, if it is something else: with the call that it returns, null for that of the state.
  function turnTo(word) {
    if (word === practice) return null;
    begin(word);
    return isQuiz() ? questions[0].call : null;
  }

  // Whether the answer to the call is to be kept back. `call` is null where the fields hold none.
  function keepsBack(word, call) {
    parts("practice").hidden = word === "";
    parts("choice").hidden = !word.startsWith("quiz") || (isQuiz() && record.length < questions.length);
    parts("guess").hidden = word === "" || word === "quiz" || call === null;
    if (parts("guess").hidden) return false;
    if (current === null || keyOf(call) !== keyOf(current)) pose(call);
    return answered === null;
  }

  function begin(word) {
    practice = word, current = answered = null, record = [];
    questions = word.startsWith("quiz,") ? drawQuiz(quizOf(word.slice(5))) : [];
    showScore();
  }

  function pose(call) {
    current = call, answered = null, marks = new Set(), focus = 0;
    parts("guess-shape").value = "";
    parts("guess-error").checked = false;
    parts("verdict").textContent = parts("decided").innerHTML = "";
    const what = isExplained(call.dialect) ? `<code>${escape(sourceOf(call))}</code>` : "this Slice";
    parts("question").innerHTML = `${isQuiz() ? `Question ${record.length + 1} of ${questions.length}: what` : "What"} does ${what} take of x with shape ${tuple(call.shape)}?`;
    for (const name of ["guess-shape", "guess-error", "check"]) parts(name).disabled = false;
    parts("another").hidden = true;
    parts("marks").innerHTML = canMark(call) ? svg({ ...blank(call), role: "group", said: "Mark the cells that you expect to be taken." }, `${rules.prefix}marks-`, cellAttributes) : "";
  }

  // Of a cell that can be marked: arrow keys move among them, and space marks one.
  function cellAttributes({ number }) {
    const name = cellNames(current)[number];
    return ` role="checkbox" aria-checked="${marks.has(number)}" aria-label="cell ${name}" data-cell="${number}" tabindex="${number === focus ? 0 : -1}"`;
  }

  function mark(cell) {
    const k = Number(cell.dataset.cell);
    if (!marks.delete(k)) marks.add(k);
    cell.setAttribute("aria-checked", marks.has(k));
    moveTo(k);
  }

  function moveTo(k) {
    const cells = parts("marks").querySelectorAll("[data-cell]");
    if (k < 0 || k >= cells.length) return;
    cells[focus].tabIndex = -1;
    cells[(focus = k)].tabIndex = 0;
    cells[k].focus();
  }

  function check() {
    const shape = parts("guess-shape").value.trim(), error = parts("guess-error").checked;
    const isMarked = marks.size > 0 || (shape !== "" && isQuiz());
    if (!error && shape === "" && !isMarked) return void (parts("verdict").textContent = NOT_YET);
    if (!error && shape === "" && isQuiz()) return void (parts("verdict").textContent = SHAPE_TOO);
    const guess = { error, shape, cells: !error && isMarked && canMark(current) ? new Set(marks) : null };
    const found = grade(current, guess);
    answered = found;
    if (isQuiz()) note(guess, found);
    parts("verdict").innerHTML = `<strong class="${found.right ? "matters" : "error"}">${found.right ? "Right." : "Not right."}</strong> ${withLinks(found.lines[0], rules)}`;
    const outlined = found.wrong.size === 0 ? [] : [`${found.wrong.size} of the cells ${found.wrong.size === 1 ? "is" : "are"} wrong, with an outline.`];
    parts("decided").innerHTML = [...outlined, ...found.lines.slice(1)].map((line) => `<li>${withLinks(line, rules)}</li>`).join("");
    parts("marks").innerHTML = found.wrong.size > 0 ? solutionPicture(found) : "";
    for (const name of ["guess-shape", "guess-error", "check"]) parts(name).disabled = true;
    parts("another").hidden = isQuiz() && record.length === questions.length;
    parts("another").textContent = isQuiz() ? "Next question" : "Ask again";
    showScore();
    show();
    (parts("another").hidden ? parts("graded") : parts("another")).focus();
  }

  // What is taken, with an outline round each cell that was marked wrongly, or should have been marked.
  function solutionPicture({ answer, wrong }) {
    const said = `Wrong: ${[...wrong].map((k) => cellNames(current)[k]).join(", ")}.`;
    return svg({ ...blank(current, answer), said }, `${rules.prefix}marks-`, ({ number }) => (wrong.has(number) ? ' data-differs=""' : ""));
  }

  function note({ error, shape, cells }, { right, solution }) {
    const plain = (each) => ({ error: each.error, shape: each.shape, cells: each.cells === null ? null : [...each.cells].sort((a, b) => a - b).map((k) => cellNames(current)[k]) });
    record = [...record, { question: record.length + 1, call: sourceOf(current), input: tuple(current.shape), topics: questions[record.length].topics, right, given: plain({ error, shape, cells }), answer: plain(solution) }];
    graded(record);
  }

  function showScore() {
    const right = record.filter((each) => each.right).length, isOver = isQuiz() && record.length === questions.length;
    parts("score").textContent = record.length === 0 ? "" : `${right} of ${record.length} right${isOver ? "; that was the last question" : ""}.`;
    parts("graded").closest(".field").hidden = record.length === 0;
    parts("graded").value = JSON.stringify(record);
  }

  function another() {
    if (isQuiz()) return ask(questions[record.length].call, practice);
    current = null;
    show();
    parts("guess-shape").focus();
  }

  root.addEventListener("click", ({ target }) => target.dataset.cell && mark(target));
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === parts("guess-shape")) {
      event.preventDefault(); // else the key would press the button that gets the focus
      return check();
    }
    if (!event.target.dataset.cell) return;
    const across = current.shape.length > 3 ? 1 : Number(current.shape.at(-1));
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
    if (event.key === " ") mark(event.target);
    else if (step !== undefined) moveTo(focus + step);
    else return;
    event.preventDefault();
  });
  parts("check").addEventListener("click", check);
  parts("another").addEventListener("click", another);
  parts("start").addEventListener("click", () => {
    const topic = parts("topic").value, seed = crypto.getRandomValues(new Uint32Array(1))[0];
    const word = `quiz,${textOf({ count: parts("count").value, difficulty: parts("difficulty").value, seed, topics: topic === "" ? [] : [topic] })}`;
    begin(word);
    ask(questions[0].call, word);
  });

  return { turnTo, keepsBack, restart: () => (practice = null), isLocked: isQuiz };
}
