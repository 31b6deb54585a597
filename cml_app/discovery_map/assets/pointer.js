// Mouse, pen and fingers on the stage: one pointer uses the tool, two pinch, the wheel zooms.

import { distance } from "./geometry.js";
import { panned, zoomed } from "./view.js";
import { moveView } from "./render.js";
import { toolInHand } from "./toolbox.js";
import { showCard } from "./looking.js";
import { objectAt, pan } from "./gestures.js";

const MIDDLE = 1;
// What a wheel's notch, and a pinch on a trackpad, multiply the scale by.
const WHEEL = 0.0016;
const TRACKPAD = 0.01;
const LINES = 1;
const PIXELS_IN_A_LINE = 32;

export function listenToPointers(m, signal) {
  const down = new Map();
  const on = (type, act, options = {}) =>
    m.stage.addEventListener(type, act, { signal, ...options });
  on("pointerdown", (event) => pointerDown(m, down, event));
  on("pointermove", (event) => pointerMove(m, down, event));
  on("pointerup", (event) => pointerUp(m, down, event));
  on("pointercancel", (event) => pointerLost(m, down, event));
  on("lostpointercapture", (event) => pointerLost(m, down, event));
  // A finger that is lifted leaves as well, but the card it asked for stays.
  on("pointerleave", (event) => event.pointerType !== "touch" && !down.size && showCard(m, -1));
  on("dblclick", () => toolInHand(m).doubleClick?.(m));
  on("wheel", (event) => turnWheel(m, event), { passive: false });
  // Where one finger scrolls the page, two must not.
  for (const type of ["touchstart", "touchmove"]) {
    on(type, (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  }
}

function pointerDown(m, down, event) {
  if (event.button !== 0 && event.button !== MIDDLE) return;
  if (event.button === MIDDLE) event.preventDefault();
  const p = pointerPlace(m, event);
  m.stage.setPointerCapture(event.pointerId);
  m.stage.focus({ preventScroll: true });
  m.byKeyboard(false);
  down.set(event.pointerId, p.at);
  m.card.hide();
  if (down.size === 1) {
    m.gesture = event.button === MIDDLE ? pan(m, p) : toolInHand(m).begin(m, p);
    if (m.gesture.cursor) m.stage.style.cursor = m.gesture.cursor;
  } else if (down.size === 2) {
    // The first finger's gesture was the beginning of a pinch.
    m.gesture?.cancel();
    m.gesture = pinch(m, down);
  }
}

function pointerMove(m, down, event) {
  const p = pointerPlace(m, event);
  if (!down.size) return hover(m, p);
  if (!down.has(event.pointerId)) return;
  down.set(event.pointerId, p.at);
  m.gesture?.move(p);
}

function pointerUp(m, down, event) {
  if (!down.delete(event.pointerId)) return;
  const { gesture } = m;
  m.gesture = null;
  m.stage.style.cursor = "";
  gesture?.up(pointerPlace(m, event));
}

function pointerLost(m, down, event) {
  if (!down.delete(event.pointerId)) return;
  m.stage.style.cursor = "";
  m.gesture?.cancel();
  m.gesture = null;
}

function pointerPlace(m, event) {
  const box = m.stage.getBoundingClientRect();
  return {
    at: [event.clientX - box.left, event.clientY - box.top],
    shift: event.shiftKey,
    touch: event.pointerType === "touch",
  };
}

function hover(m, p) {
  if (p.touch) return;
  const tool = toolInHand(m);
  tool.hover?.(m, p);
  const object = objectAt(m, p);
  m.stage.style.cursor = tool.cursorAt?.(m, p, object) ?? "";
  if (m.draft) m.card.hide();
  else showCard(m, object);
}

function pinch(m, down) {
  const [a, b] = Array.from(down.values());
  const from = { view: m.view, gap: distance(a, b), middle: midpoint(a, b) };
  return {
    move() {
      if (down.size < 2) return;
      const [c, d] = Array.from(down.values());
      const middle = midpoint(c, d);
      const shift = [middle[0] - from.middle[0], middle[1] - from.middle[1]];
      const factor = distance(c, d) / (from.gap || 1);
      const view = zoomed(panned(from.view, ...shift), factor, middle, m.fitScale, m.furthestIn);
      moveView(m, view, { zooming: true });
    },
    up() {},
    cancel() {},
  };
}

function midpoint(a, b) {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

function turnWheel(m, event) {
  if (m.leavesWheel && !event.ctrlKey) return;
  event.preventDefault();
  const lines = event.deltaMode === LINES ? PIXELS_IN_A_LINE : 1;
  const speed = event.ctrlKey ? TRACKPAD : WHEEL;
  const factor = Math.exp(-event.deltaY * lines * speed);
  const { at } = pointerPlace(m, event);
  moveView(m, zoomed(m.view, factor, at, m.fitScale, m.furthestIn), { zooming: true });
}
