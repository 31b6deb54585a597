// What gestures are made of: what lies under the pointer, moving the map, and showing a draft.

import { distance } from "./geometry.js";
import { panned, toMap, toScreen } from "./view.js";
import { nearestObject } from "./spatial.js";
import { labelBox } from "./labels.js";
import { moveView, redraw } from "./render.js";
import { lookAt } from "./looking.js";

// A pointer that moved no further has clicked.
export const CLICK = 4;
// Between the points that are kept of a line drawn by hand.
export const STEP = 3;
const REACH = { mouse: 14, touch: 24 };
// Objects no further apart on the screen are one spot.
const ONE_SPOT = 2;

export function pan(m, from) {
  const view = m.view;
  let dragged = false;
  return {
    cursor: "grabbing",
    move(p) {
      const [dx, dy] = [p.at[0] - from.at[0], p.at[1] - from.at[1]];
      dragged ||= Math.hypot(dx, dy) > CLICK;
      if (dragged) moveView(m, panned(view, dx, dy));
    },
    up(p) {
      if (!dragged) lookAt(m, objectAt(m, p));
    },
    cancel() {},
  };
}

// A finger that shows what it touches and leaves all else to the page.
export function tap(m) {
  return {
    move() {},
    up: (p) => lookAt(m, objectAt(m, p)),
    cancel() {},
  };
}

// The object at a place of the stage, its label included; -1 where there is none.
export function objectAt(m, p) {
  const found = nearestTo(m, p);
  return found >= 0 ? found : (labelAt(m, p)?.anchor ?? -1);
}

// All that a pointer means at a place of the stage: objects that no eye can tell apart, or those
// that share the label there.
export function objectsAt(m, p) {
  const found = nearestTo(m, p);
  return found >= 0 ? inOneSpot(m, found) : (labelAt(m, p)?.members ?? []);
}

function nearestTo(m, p) {
  return nearestObject(m.index, ...toMap(m.view, p.at), reachOf(p) / m.view.scale);
}

function labelAt(m, p) {
  return m.motion ? null : m.labels.find((one) => inBox(labelBox(one, m.view, m.x, m.y), p.at));
}

function inOneSpot(m, object) {
  const { x, y } = m.index;
  const reach = ONE_SPOT / m.view.scale;
  const near = (i) => Math.hypot(x[i] - x[object], y[i] - y[object]) <= reach;
  return Array.from(x.keys()).filter(near);
}

// Of some places of the map the one that a pointer can take hold of, or -1.
export function handleAt(m, p, places) {
  const gaps = places.map((place) => distance(toScreen(m.view, place), p.at));
  const nearest = gaps.indexOf(Math.min(...gaps));
  return gaps[nearest] <= reachOf(p) ? nearest : -1;
}

// Drafts are kept in map coordinates.
export function showDraft(m, draft) {
  m.draft = draft;
  redraw(m, "overlay");
}

function reachOf({ touch }) {
  return touch ? REACH.touch : REACH.mouse;
}

function inBox(box, [x, y]) {
  const [right, bottom] = [box.left + box.width, box.top + box.height];
  return x >= box.left && x <= right && y >= box.top && y <= bottom;
}
