// The card of the object under the pointer, or of the keyboard's current one.

import { placeOnScreen } from "./render.js";
import { endRows } from "./ends.js";
import { SMALL_STAGE } from "./legend.js";

const OFF = 14;
const EDGE = 6;
const MOST_NEIGHBOURS = 6;

export function makeCard(m, element) {
  let shown = -1;
  let size = null;
  return {
    show(object) {
      if (object === shown) return;
      if (object < 0) return this.hide();
      shown = object;
      element.replaceChildren(...cardParts(m, object));
      element.hidden = false;
      size = [element.offsetWidth, element.offsetHeight];
      this.follow();
    },
    hide() {
      shown = -1;
      element.hidden = true;
      // A card must not outlive what it tells of: the next scene may have other objects.
      element.replaceChildren();
    },
    // There is more to tell of the same object.
    refresh() {
      const object = shown;
      shown = -1;
      this.show(object);
    },
    follow() {
      if (shown < 0) return;
      const [sx, sy] = placeOnScreen(m, shown);
      const [left, top] = cardCorner([sx, sy], size, m.view);
      element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    },
  };
}

export function cardWords(m, object) {
  const { label, rows } = m.cardOf(m, object);
  const told = [...rows, ...endRows(m.scene, object)].map(([name, value]) => `${name} ${value}`);
  return [label, ...told].join(", ");
}

// Beside the object; where there is little room, in the half of the stage that it is not in.
function cardCorner([sx, sy], [width, height], view) {
  const lowest = view.height - height - EDGE;
  if (view.width < SMALL_STAGE) return [EDGE, sy > view.height / 2 ? EDGE : lowest];
  const top = Math.max(EDGE, Math.min(lowest, sy - height / 2));
  return [beside(sx, width, view.width), top];
}

function beside(place, width, room) {
  if (place + OFF + width + EDGE <= room) return place + OFF;
  return Math.max(EDGE, Math.min(room - width - EDGE, place - OFF - width));
}

function cardParts(m, object) {
  const told = m.cardOf(m, object);
  const title = part("strong", told.label);
  const rows = [...told.rows, ...(object === m.current ? endRows(m.scene, object) : [])];
  const list = document.createElement("dl");
  list.append(...rows.flatMap(([name, value]) => [part("dt", name), part("dd", value)]));
  const others = neighbours(m, object);
  const note = others && part("p", `In the same place: ${others}`);
  return [title, rows.length ? list : null, note].filter(Boolean);
}

// What is told of an object: its label, and [name, value] pairs.
export function cardOf(m, object) {
  const { names, rows } = m.scene.cards;
  const told = (rows[object] ?? []).map(([name, value]) => [names[name], value]);
  return { label: m.scene.labels[object], rows: told };
}

function neighbours(m, object) {
  const { x, y } = m.index;
  const here = (i) => x[i] === x[object] && y[i] === y[object];
  const same = m.scene.labels.filter((_, i) => i !== object && here(i));
  const more = same.length > MOST_NEIGHBOURS ? ` and ${same.length - MOST_NEIGHBOURS} more` : "";
  return same.slice(0, MOST_NEIGHBOURS).join(" · ") + more;
}

function part(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  // Each text keeps its own direction.
  element.dir = "auto";
  return element;
}
