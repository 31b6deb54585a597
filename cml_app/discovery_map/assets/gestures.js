// What gestures are made of: what lies under the pointer, moving the map, and showing a draft.

import { distance } from "./geometry.js";
import { panned, toMap, toScreen } from "./view.js";
import { nearestObject } from "./spatial.js";
import { labelBox } from "./labels.js";
import { moveView, redraw } from "./render.js";

// A pointer that moved no further has clicked.
export const CLICK = 4;
// Between the points that are kept of a line drawn by hand.
export const STEP = 3;
const REACH = { mouse: 14, touch: 24 };

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
      if (!dragged) m.card.show(objectAt(m, p));
    },
    cancel() {},
  };
}

// The object at a place of the stage, its label included; -1 where there is none.
export function objectAt(m, p) {
  const found = nearestObject(m.index, ...toMap(m.view, p.at), reachOf(p) / m.view.scale);
  if (found >= 0 || m.motion) return found;
  const label = m.labels.find((one) => inBox(labelBox(one, m.view, m.x, m.y), p.at));
  return label ? label.anchor : -1;
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
