// A page that is one explorer: its address has the whole call, its theme is that of the site around it, and a frame is
// told its height. FACTS, START and PAGES stand before it; page.html calls `start`.
import { load, mount } from "./explorer.js";

const ADDRESS_MILLISECONDS = 200;
const KEPT = { light: "light", dark: "dark", auto: "" };

const given = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const hashOf = (words) => `#${new URLSearchParams(words).toString().replace(/%2C/g, ",")}`;
const isFrame = location.protocol === "about:";

// Browsers slow down pages that write their address at every key.
let writing = null, written = null;

function writeAddress(words) {
  clearTimeout(writing);
  writing = setTimeout(() => {
    try {
      history.replaceState(null, "", (written = hashOf(words)));
    } catch {
      // a page inside a notebook has no address of its own
    }
  }, ADDRESS_MILLISECONDS);
}

async function start() {
  await load(FACTS);
  const address = given(), first = Object.keys(address).length > 0 ? { shape: "", ...START, ...address } : START;
  const explorer = mount(document.getElementById("explorer"), {
    words: first, titles: FACTS.titles, pages: PAGES, changed: writeAddress,
    link: isFrame ? null : (words) => location.href.split("#")[0] + hashOf(words),
  });
  window.addEventListener("hashchange", () => location.hash !== written && explorer.show(given()));
  return explorer;
}

// A page with the explorer in a frame sends the theme that its reader chose, { theme: "dark" }; "auto" is the system's.
// The site keeps the choice, which the explorer as a page of its own reads.
function setTheme(theme) {
  if (!Object.hasOwn(KEPT, theme)) return;
  document.documentElement.style.colorScheme = KEPT[theme];
  tellHeight();
}
window.addEventListener("message", ({ data, source }) => source === window.parent && setTheme(data?.theme));
window.addEventListener("storage", ({ key, newValue }) => key === "theme" && setTheme(newValue ?? "auto"));

// That page is told how high the explorer is, so that its frame need not scroll.
function tellHeight() {
  if (window.parent !== window) window.parent.postMessage({ height: document.documentElement.offsetHeight }, "*");
}
document.body.classList.toggle("framed", window.parent !== window);
new ResizeObserver(tellHeight).observe(document.body);
try {
  setTheme(localStorage.getItem("theme") ?? "auto");
} catch {
  // a frame without rights has no storage
}
