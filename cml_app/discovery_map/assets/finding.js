// Finding an object by typing a part of its name.

import { cardWords } from "./card.js";
import { centreOn } from "./render.js";
import { lookAt } from "./looking.js";

const MOST_OFFERED = 8;

export function makeFinder(m, signal) {
  const input = m.root.querySelector(".find input");
  const list = m.root.querySelector(".found");
  const finder = { input, list, offered: [], active: 0 };
  const on = (target, type, act) => target.addEventListener(type, act, { signal });
  on(input, "input", () => offer(m, finder));
  on(input, "focus", () => offer(m, finder));
  on(input, "blur", () => close(finder));
  on(input, "keydown", (event) => {
    // Neither the map nor the page takes what is typed for a shortcut.
    event.stopPropagation();
    if (keyPressed(m, finder, event.key)) event.preventDefault();
  });
  // Before the click takes the focus from the field, which would close the list.
  on(list, "pointerdown", (event) => {
    event.preventDefault();
    const option = event.target.closest("[role=option]");
    if (option) choose(m, finder, finder.offered[Array.from(list.children).indexOf(option)]);
  });
}

// Those that are called so, then those that begin so, then those with a word that begins so.
export function matches(labels, typed) {
  const wanted = plain(typed.trim());
  if (!wanted) return [];
  const rank = (name) =>
    [name === wanted, name.startsWith(wanted), name.includes(` ${wanted}`), name.includes(wanted)]
      .concat(true)
      .indexOf(true);
  const ranked = labels.map((label, i) => [rank(plain(label)), i]).filter(([r]) => r < 4);
  return ranked.sort(([a, i], [b, j]) => a - b || i - j).map(([, i]) => i);
}

// Without accents, and in small letters.
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function offer(m, finder) {
  finder.offered = matches(m.scene.labels, finder.input.value).slice(0, MOST_OFFERED);
  finder.active = 0;
  const none = finder.input.value.trim() && !finder.offered.length;
  finder.list.replaceChildren(
    ...finder.offered.map((i, k) => listed(m.scene.labels[i], `found-${k}`)),
    ...(none ? [listed("No object is called so.")] : []),
  );
  finder.list.hidden = !finder.list.children.length;
  if (none) m.announce("No object is called so.");
  show(finder);
}

function listed(text, id) {
  const item = document.createElement("div");
  item.textContent = text;
  item.dir = "auto";
  item.setAttribute("role", "option");
  if (id) item.id = id;
  else item.setAttribute("aria-disabled", "true");
  return item;
}

function show({ input, list, offered, active }) {
  input.setAttribute("aria-expanded", String(!list.hidden));
  Array.from(list.children).forEach((item, k) => {
    item.setAttribute("aria-selected", String(offered.length > 0 && k === active));
  });
  if (offered.length) input.setAttribute("aria-activedescendant", `found-${active}`);
  else input.removeAttribute("aria-activedescendant");
}

function keyPressed(m, finder, key) {
  const { offered } = finder;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (steps[key] && offered.length) {
    finder.active = (finder.active + steps[key] + offered.length) % offered.length;
    show(finder);
  } else if (key === "Enter") choose(m, finder, offered[finder.active]);
  else if (key === "Escape") {
    finder.input.value = "";
    close(finder);
    lookAt(m, -1);
  } else return false;
  return true;
}

function choose(m, finder, object) {
  if (object === undefined) return;
  finder.input.value = m.scene.labels[object];
  close(finder);
  lookAt(m, object);
  centreOn(m, object);
  m.announce(`${cardWords(m, object)}.`);
}

function close(finder) {
  finder.offered = [];
  finder.list.replaceChildren();
  finder.list.hidden = true;
  show(finder);
}
