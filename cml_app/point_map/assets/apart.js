// Which objects are labelled: some of those in view that lie apart; first the one that is looked at
// and those that are encircled, then those that were labelled before.

import { toMap, toScreen } from "../../discovery_map/assets/view.js";
import { insidePolygon } from "../../discovery_map/assets/geometry.js";

const MOST_NAMED = 30;
// In square pixels; the distance between them is a share of the side of such a square.
const ROOM_OF_ONE = 20000;
const APART_BY = 0.7;
// So many in view are looked at, which are a fair sample of all.
const ENOUGH_SEEN = 5000;

// taken: slots that are labelled in any case.
export function slotsApart(m, view, taken) {
  const room = view.width * view.height;
  const most = Math.max(1, Math.min(MOST_NAMED, Math.floor(room / ROOM_OF_ONE)));
  const reach = APART_BY * Math.sqrt(room / most);
  const { x, y } = m;
  const isSeen = seenIn(view, x, y);
  const places = taken.map((slot) => toScreen(view, [x[slot], y[slot]]));
  const chosen = [];
  const offer = (slot) => {
    if (chosen.length === most || !isSeen(slot)) return;
    const [px, py] = toScreen(view, [x[slot], y[slot]]);
    if (places.some(([qx, qy]) => (px - qx) ** 2 + (py - qy) ** 2 < reach ** 2)) return;
    places.push([px, py]);
    chosen.push(slot);
  };
  if (m.current >= 0) offer(m.current);
  if (m.drawing?.kind === "lasso") {
    const { points } = m.drawing;
    for (const slot of firstOf(x.length, isSeen)) {
      if (insidePolygon(points, x[slot], y[slot])) offer(slot);
    }
  }
  for (const { anchor } of m.labels) offer(anchor);
  for (const slot of firstOf(x.length, isSeen)) offer(slot);
  return chosen;
}

function seenIn(view, x, y) {
  const [left, top] = toMap(view, [0, 0]);
  const [right, bottom] = toMap(view, [view.width, view.height]);
  return (k) => x[k] >= left && x[k] <= right && y[k] >= bottom && y[k] <= top;
}

function* firstOf(count, isSeen) {
  let found = 0;
  for (let slot = 0; slot < count && found < ENOUGH_SEEN; slot++) {
    if (!isSeen(slot)) continue;
    found += 1;
    yield slot;
  }
}
