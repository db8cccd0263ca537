// Questions of a quiz: calls that are drawn at random by topic and difficulty, always the same ones for one seed.
//
// A quiz is { count, difficulty, seed, topics }. Difficulty is how many masks a call has at once. No page is needed.
import { MASKS, resolve } from "./core.js";
import { explain } from "./explain.js";
import { canMark, solutionOf } from "./predict.js";

const MASK_TOPICS = MASKS.map((name) => `${name}_mask`);
// Each with its name; ssop/_widget/model.py has them, too.
export const TOPICS = { ...Object.fromEntries(MASK_TOPICS.map((name) => [name, name])), strides: "strides other than 1",
  bounds: "bounds outside the axis", errors: "errors" };
export const DIFFICULTIES = { 1: "one mask", 2: "two masks at once", 3: "three masks at once" };
export const MAX_QUESTIONS = 100;
const TRIES = 4000;

// As text, "10,2,7,begin_mask,end_mask", and back; without topics all of them are asked.
export const textOf = ({ count, difficulty, seed, topics }) => [count, difficulty, seed, ...topics].join(",");

export function quizOf(text) {
  const [count, difficulty, seed, ...topics] = text.split(","), known = topics.filter((topic) => Object.hasOwn(TOPICS, topic));
  const within = (word, least, most) => Math.min(Math.max(Number.parseInt(word, 10) || least, least), most);
  return { count: within(count, 1, MAX_QUESTIONS), difficulty: within(difficulty, 1, 3), seed: within(seed, 0, 2 ** 32 - 1), topics: known };
}

// mulberry32: a number from 0 on, less than n.
function generator(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return Math.floor((((word ^ (word >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}

// [{ call, topics }], as many as asked for. Each has one of the topics, in turns.
export function drawQuiz({ count, difficulty, seed, topics }) {
  const random = generator(seed), asked = topics.length > 0 ? topics : Object.keys(TOPICS), questions = [], seen = new Set();
  for (let k = 0; questions.length < count; k++) {
    const topic = asked[k % asked.length], found = drawOne(random, topic, difficulty, seen);
    seen.add(keyOf(found.call));
    questions.push(found);
  }
  return questions;
}

export const keyOf = (call) => [call.shape, call.begin, call.end, call.strides, call.masks, call.dialect].join(";");

function drawOne(random, topic, difficulty, seen) {
  let last = null;
  for (let tries = 0; tries < TRIES; tries++) {
    const call = drawCall(random, topic, difficulty);
    if (!canMark(call)) continue;
    const answer = resolve(call), topics = topicsOf(call, answer);
    if (!topics.includes(topic) || topics.includes("errors") !== (topic === "errors")) continue;
    last = { call, topics };
    if (!seen.has(keyOf(call)) && (answer.error !== null || isTelling(call, answer))) return last;
  }
  return last; // all that were found have been asked
}

// A result that is empty, or all of the input, is no question of which cells.
function isTelling(call, answer) {
  const { cells } = solutionOf(call, answer), product = (dims) => dims.reduce((a, b) => a * b, 1n);
  return cells.size > 0 && product(answer.shape) < product(call.shape);
}

function drawCall(random, topic, difficulty) {
  const pick = (values) => values[random(values.length)], kind = MASK_TOPICS.indexOf(topic);
  const masks = new Set(kind < 0 ? [] : [kind]);
  while (masks.size < difficulty) masks.add(random(MASKS.length));
  const shape = Array.from({ length: 1 + random(Math.min(difficulty + 1, 3)) }, () => BigInt(2 + random(3)));
  if (shape.length < 3) shape[shape.length - 1] += BigInt(2 + random(3));
  const count = Math.max(shape.length - random(2), 1) + (masks.has(3) ? 1 : 0);
  const call = { shape, begin: [], end: [], strides: [], masks: [0, 0, 0, 0, 0], dialect: "tf" };
  for (let i = 0; i < count; i++) {
    const dim = Number(shape[Math.min(i, shape.length - 1)]), stride = pick([1, 1, 1, 2, -1, -2]), far = ["bounds", "errors"].includes(topic) ? 3 : 0;
    const ends = [random(dim + far), random(dim + 1 + far)].sort((a, b) => (stride > 0 ? a - b : b - a));
    const [begin, end] = ends.map((bound) => (random(4) === 0 ? bound - dim - far : bound));
    call.begin.push(BigInt(begin)), call.end.push(BigInt(end)), call.strides.push(BigInt(stride));
  }
  for (const mask of masks) for (let bits = mask === 2 ? 1 : 1 + random(2); bits > 0; bits--) call.masks[mask] |= 1 << random(count);
  return call;
}

// What a call is about, by the words of `TOPICS`.
export function topicsOf(call, answer) {
  const names = MASK_TOPICS.filter((_, k) => call.masks[k] !== 0), told = explain(call, answer);
  const ranges = answer.axes.filter(({ entry }) => entry !== null && !answer.entries[entry].kept.includes("shrink_axis"));
  if (ranges.some(({ entry }) => call.strides[entry] !== 1n)) names.push("strides");
  if (told.stages.some(({ name, changes }) => name.startsWith("clamp") && changes.length > 0)) names.push("bounds");
  return answer.error === null ? names : [...names, "errors"];
}
