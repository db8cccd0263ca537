// The answers of all dialects to one call: a table, and pictures of those that take other cells.
import { DIALECTS, resolve } from "./core.js";
import { tuple } from "./explain.js";
import { escape, table, withLinks } from "./markup.js";
import { draw, pictureOf, svg } from "./picture.js";
import { quirksOf, reasons } from "./reasons.js";

const HEADS = ["rules of", "shape", "NumPy index", "as chosen", "because"];

const unwritten = (answer) => answer.error !== null && answer.error.startsWith("cannot be written");

export function dialectsMarkup(call, answer, rules) {
  const met = quirksOf(call), others = Object.keys(DIALECTS).map((dialect) => [dialect, dialect === call.dialect ? answer : resolve({ ...call, dialect })]);
  const rows = others.map(([dialect, other]) => {
    const same = other.error === null ? other.index === answer.index : answer.error !== null;
    const why = same || unwritten(answer) || unwritten(other) ? [] : reasons(met, dialect, call.dialect);
    const [shape, index] = other.error === null ? [tuple(other.shape), `x${other.index}`] : ["error", other.error];
    return [DIALECTS[dialect], shape, withLinks(index, rules), same ? "yes" : '<strong class="differs">no</strong>', why.map((line) => withLinks(line, rules)).join("; ")];
  });
  return { table: table(HEADS, rows), pictures: answer.error === null ? pictures(call, answer, others, rules.prefix) : "" };
}

// One for each other index, in which cells with another number, or with one only here or there, are marked.
function pictures(call, answer, others, prefix) {
  const found = new Map();
  for (const [dialect, other] of others) {
    if (other.error === null && other.index !== answer.index) found.set(other.index, [...(found.get(other.index) ?? []), dialect]);
  }
  const own = draw(pictureOf(call, answer));
  return [...found].map(([index, [dialect, ...same]]) => {
    const other = { ...call, dialect }, picture = pictureOf(other, resolve(other)), names = [dialect, ...same].map((name) => DIALECTS[name]).join(", ");
    const differs = differingCells(own, draw(picture)), mark = (cell) => (differs.has(placeOf(cell)) ? ' data-differs=""' : "");
    const note = differs.size > 0 ? `: ${differs.size} ${differs.size === 1 ? "cell differs" : "cells differ"}` : "";
    return `<figure><figcaption>${names}, <code>x${escape(index)}</code>${note}</figcaption><div class="wide" role="region" aria-label="Picture of ${names}" tabindex="0">${svg(picture, `${prefix}${dialect}-`, mark)}</div></figure>`;
  }).join("");
}

const placeOf = ({ x, y }) => `${x},${y}`;
const indicesOf = ({ words }) => words.filter(({ kind }) => kind === "index").map((word) => `${placeOf(word)},${word.text}`).join(";");

// The places of cells of which two drawings say different things; none where they show other indices.
export function differingCells(one, two) {
  if (indicesOf(one) !== indicesOf(two)) return new Set();
  const texts = new Map(one.cells.map((cell) => [placeOf(cell), cell.text]));
  return new Set(two.cells.filter((cell) => cell.kind !== "new" && texts.get(placeOf(cell)) !== cell.text).map(placeOf));
}
