// A button on each object: Tab comes to it, arrow keys move it, and a finger takes hold of it.

import { toMap } from "../../discovery_map/assets/view.js";
import { placeOnScreen } from "../../discovery_map/assets/render.js";
import { carry, hold, putDown } from "./hand.js";

// In pixels of the screen.
const ARROW_STEP = 12;
const SMALL_ARROW_STEP = 2;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// Python is told once the keys have been at rest for so many milliseconds.
const KEYS_REST = 350;

export function showGrips(d) {
  const holder = d.root.querySelector(".grips");
  const { labels, movable } = d.data;
  holder.hidden = !movable;
  d.focus = (i) => holder.children[i]?.focus({ preventScroll: true });
  const had = Array.from(holder.children, (grip) => grip.getAttribute("aria-label"));
  if (had.length === labels.length && had.every((name, i) => name === labels[i])) return;
  holder.replaceChildren(...labels.map((label, i) => gripOf(d, label, i)));
}

export function placeGrips(d) {
  const grips = d.root.querySelector(".grips").children;
  for (let i = 0; i < Math.min(grips.length, d.m.x.length); i++) {
    const [left, top] = placeOnScreen(d.m, i);
    grips[i].style.transform = `translate(${left}px, ${top}px)`;
  }
}

function gripOf(d, label, i) {
  const grip = document.createElement("button");
  grip.type = "button";
  grip.setAttribute("aria-label", label);
  grip.setAttribute("aria-describedby", "drag-help");
  let from = null;
  let timer = 0;
  const settle = () => {
    clearTimeout(timer);
    if (from) putDown(d.m, i, from);
    from = null;
  };
  grip.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { m } = d;
    from ??= [m.x[i], m.y[i]];
    hold(m, i);
    const step = event.shiftKey ? SMALL_ARROW_STEP : ARROW_STEP;
    const [sx, sy] = placeOnScreen(m, i);
    carry(m, i, toMap(m.view, [sx + step * arrow[0], sy + step * arrow[1]]));
    clearTimeout(timer);
    timer = setTimeout(settle, KEYS_REST);
  });
  grip.addEventListener("blur", settle);
  return grip;
}
