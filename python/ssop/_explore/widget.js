// An explorer as a widget of a notebook, by the model of ssop/_widget/model.py: what its reader does changes the model,
// and changes of the model are shown. It has a tree of its own, so that neither style changes the other.
import { load, mount } from "./explorer.js";
import { VECTORS } from "./state.js";

let loading = null;

// `style` is that of the explorer. Returns what undoes it.
export async function render({ model, el }, facts, style) {
  await (loading ??= load(facts));
  const owner = el.ownerDocument, host = owner.createElement("div"), tree = host.attachShadow({ mode: "open" });
  host.dataset.lmSuppressShortcuts = "true"; // keys are the fields', not Jupyter Lab's
  tree.innerHTML = `<style>:host { display: block }\n${style}</style><div class="explorer"></div>`;
  el.append(host);
  const page = model.get("page");
  let sent = null;
  const explorer = mount(tree.querySelector(".explorer"), {
    words: model.get("words"), fixed: model.get("fixed"), titles: facts.titles,
    link: page === "" ? null : (words) => `${page}#${new URLSearchParams(words)}`,
    graded: (answers) => (model.set("answers", answers), model.save_changes()),
    changed: (words, call) => call !== null && send({ ...words, ...numbersOf(call) }),
  });

  function send(words) {
    sent = words;
    model.set("words", words);
    model.save_changes();
  }

  const follow = () => isOther(model.get("words"), sent) && explorer.show(model.get("words"));
  const paint = () => (host.style.colorScheme = schemeAround(el));
  const watching = new MutationObserver(paint);
  for (const each of [owner.documentElement, owner.body]) watching.observe(each, { attributes: true });
  model.on("change:words", follow);
  paint();
  return () => (watching.disconnect(), model.off("change:words", follow));
}

// As decimals, however they are written in the fields.
const numbersOf = (call) => Object.fromEntries(["shape", ...VECTORS].map((name) => [name, call[name].join(",")]));

const isOther = (words, sent) => sent === null || Object.keys({ ...words, ...sent }).some((name) => words[name] !== sent[name]);

// Whether what is behind an element is light or dark. Notebooks have themes of their own; where nothing is painted, the
// scheme is that of the page.
function schemeAround(el) {
  const brush = el.ownerDocument.createElement("canvas").getContext("2d", { willReadFrequently: true });
  for (let each = el; each !== null; each = each.parentElement ?? each.getRootNode().host ?? null) {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = getComputedStyle(each).backgroundColor; // in any colour space: oklch(..), color(..)
    brush.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = brush.getImageData(0, 0, 1, 1).data;
    if (alpha > 127) return 0.3 * red + 0.6 * green + 0.1 * blue < 128 ? "dark" : "light";
  }
  return "";
}
