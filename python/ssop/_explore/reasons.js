// Why two dialects differ on a call. The quirks, made of ssop/divergences.json, say for each dialect what it does
// differently from TensorFlow, as pairs of a name and a reason; here is which of the names are true of a call, as the
// predicates of ssop/divergences.py say it (tests/browser/test_reasons.py compares the two).

let known = null;

export function loadQuirks(quirks) {
  known = quirks;
}

const GREATEST = [2n ** 31n - 1n, 2n ** 63n - 1n];
// What a Slice of ONNX does not depend on: bits without an entry are not written into it.
const QUIRKS_OF_SPECS = ["spare_ellipsis_bits", "entries_past_31"];

// The entries that have an axis, with its dim, and how many want one.
function entriesWithAxes(call) {
  const has = (k, i) => i < 32 && ((call.masks[k] >> i) & 1) === 1;
  const numbers = call.begin.map((_, i) => i), wants = numbers.filter((i) => !has(2, i) && !has(3, i));
  const covered = Math.max(call.shape.length - wants.length, 0), taken = [];
  let axis = 0;
  for (const i of numbers) {
    if (has(2, i)) axis += covered;
    else if (!has(3, i) && axis < call.shape.length) {
      const [begin, end, step] = [call.begin[i], call.end[i], call.strides[i]];
      taken.push({ dim: call.shape[axis++], begin, end, step, beginMask: has(0, i), endMask: has(1, i), shrunk: has(4, i) });
    }
  }
  const shrunkStep = wants.some((i) => has(4, i) && call.strides[i] <= 0n);
  const ellipsis = numbers.some((i) => has(2, i)), newAxis = numbers.some((i) => has(3, i));
  return { taken, wanted: wants.length, shrunkStep, ellipsis, newAxis };
}

function bitCount(mask) {
  let count = 0;
  for (let rest = mask >>> 0; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
}

// The names of the quirks that this call meets.
export function quirksOf(call) {
  const { taken, wanted, shrunkStep, ellipsis, newAxis } = entriesWithAxes(call);
  const rank = call.shape.length, count = call.begin.length, bits = call.masks[2] >>> 0;
  const shrunk = taken.filter((e) => e.shrunk), reverse = taken.filter((e) => !e.shrunk && e.step < 0n);
  const met = {
    begin_mask_on_shrink: shrunk.some((e) => e.beginMask && e.begin !== 0n && e.begin !== -e.dim),
    shrink_below_range: shrunk.some((e) => !e.beginMask && e.begin < -e.dim),
    ellipsis_takes_one_axis: ellipsis && (rank > 0 || newAxis) && wanted >= rank,
    spare_entries: wanted > rank,
    spare_ellipsis_bits: bitCount(bits) > 1 && count < 32 && bits >>> count > 0,
    far_negative_begin: reverse.some((e) => !e.beginMask && e.begin < -e.dim),
    stride_of_shrunk: shrunkStep,
    entries_past_31: count > 31,
    greatest_ends: reverse.some((e) => !e.endMask && GREATEST.includes(e.end)),
  };
  return Object.keys(met).filter((name) => met[name]);
}

// The reasons why the answers of two dialects differ: what only one of them does, and the call meets.
export function reasons(met, one, other) {
  const names = (dialect) => known[dialect].map(([name]) => name);
  const both = names(one).filter((name) => names(other).includes(name));
  const without = [one, other].some((dialect) => dialect.startsWith("onnx")) ? QUIRKS_OF_SPECS : [];
  const told = [...known[one], ...known[other]].filter(([name]) => met.includes(name) && !both.includes(name));
  return told.filter(([name]) => !without.includes(name)).map(([, reason]) => reason);
}
