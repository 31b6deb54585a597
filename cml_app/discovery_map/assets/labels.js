// Labels: which objects share one, which of them fit, and where. Greedy in a fixed order, so
// that a label does not come and go while the view hardly changes.
//
// Pictures made by Python have label_places.py. Here texts are measured in the font of the page,
// thousands of objects are placed anew in the time of a frame, and each label keeps its place if
// it can; there none of this is possible, but a label may look for the best of its places.

import { screenX, screenY, toMap } from "./view.js";
import { visitRectangle } from "./spatial.js";

// Objects share a label where their discs overlap by more than a little, and within so many
// pixels in any case.
const OVERLAP = 1.9;
const SHARED_WITHIN = 6;
const MOST_NAMES = 3;
const MOST_LABELS = 250;
// Up to so many labels may stand off their objects, joined to them by a short line.
const MOST_WITH_LEADERS = 120;
// Between objects and their label, where the ring of a selected one has room.
const GAP = 6;
const LEADER = 16;
// Labels are also placed for this share of the stage beyond its edges, to be there when panned in.
const BEYOND = 0.35;
const ELLIPSIS = "…";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// places: {view, x, y, index, radius}; text: {labels, measure, height, mostWidth};
// preferred: objects that get their label first; blocked: rectangles to be left free;
// before: the labels placed last time.
export function placeLabels({ places, text, preferred, blocked, before }) {
  const groups = coincidingGroups(places);
  const earlier = new Map(before.map((label) => [label.anchor, label.slot]));
  const room = makeRoom(places, blocked, groups.groupOf);
  const placed = [];
  for (const group of inOrder(groups.list, places, preferred)) {
    if (placed.length >= MOST_LABELS) break;
    const words = groupText(group.members, text);
    const size = { width: text.measure(words), height: text.height };
    const slots = slotsFor(extentOf(group, places), size, groups.list.length);
    const favourite = earlier.get(group.anchor);
    const order = [...slots.keys()];
    if (favourite < slots.length) order.unshift(favourite);
    const slot = order.find((k) => room.fits(group, slots[k], size));
    if (slot === undefined) continue;
    room.take(group, slots[slot], size);
    placed.push({ ...group, ...slots[slot], ...size, slot, text: words });
  }
  return placed;
}

export function labelBox(label, view, x, y) {
  return {
    left: screenX(view, x[label.anchor]) + label.dx,
    top: screenY(view, y[label.anchor]) + label.dy,
    width: label.width,
    height: label.height,
  };
}

// A label is shown with its object, and not cut off at an edge while that is out of sight.
export function onStage(object, view, x, y) {
  const [sx, sy] = [screenX(view, x[object]), screenY(view, y[object])];
  return sx >= 0 && sx <= view.width && sy >= 0 && sy <= view.height;
}

// A text cut to a width, at letters as people see them.
export function fittedText(words, width, measure) {
  if (measure(words) <= width) return words;
  const letters = lettersOf(words.slice(0, 400));
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    const shorter = letters.slice(0, middle).join("").trimEnd() + ELLIPSIS;
    if (measure(shorter) <= width) fits = middle;
    else tooLong = middle;
  }
  return letters.slice(0, fits).join("").trimEnd() + ELLIPSIS;
}

function lettersOf(words) {
  if (!("Segmenter" in Intl)) return Array.from(words);
  return Array.from(new Intl.Segmenter("en").segment(words), (part) => part.segment);
}

// "Aunt · Uncle": objects very near the first of them share its label.
function coincidingGroups({ view, x, y, index, radius }) {
  const groupOf = new Int32Array(x.length).fill(-1);
  const list = [];
  const reach = Math.max(SHARED_WITHIN, OVERLAP * radius) / view.scale;
  for (const anchor of objectsAround(view, index)) {
    if (groupOf[anchor] >= 0 || Number.isNaN(x[anchor])) continue;
    const members = [];
    const [px, py] = [x[anchor], y[anchor]];
    visitRectangle(index, px - reach, px + reach, py - reach, py + reach, (i) => {
      if (groupOf[i] < 0 && (x[i] - px) ** 2 + (y[i] - py) ** 2 <= reach * reach) {
        groupOf[i] = list.length;
        members.push(i);
      }
      return false;
    });
    members.sort((a, b) => a - b);
    list.push({ anchor, members, number: list.length });
  }
  return { list, groupOf };
}

// First those that are wanted, then what is seen, and last what may come into view.
function inOrder(groups, { view, x, y }, preferred) {
  const rank = ({ anchor, members }) => {
    const later = onStage(anchor, view, x, y) ? 0 : 2;
    return later + (members.some((i) => preferred.has(i)) ? 0 : 1);
  };
  const ranks = groups.map(rank);
  return [0, 1, 2, 3].flatMap((wanted) => groups.filter((_, k) => ranks[k] === wanted));
}

function objectsAround(view, index) {
  const [mx, my] = [view.width * BEYOND, view.height * BEYOND];
  const [left, top] = toMap(view, [-mx, -my]);
  const [right, bottom] = toMap(view, [view.width + mx, view.height + my]);
  const found = [];
  visitRectangle(index, left, right, bottom, top, (i) => {
    found.push(i);
    return false;
  });
  return found.sort((a, b) => a - b);
}

function groupText(members, { labels, measure, mostWidth }) {
  const names = members.slice(0, MOST_NAMES).map((i) => {
    const name = fittedText(labels[i], mostWidth / Math.min(members.length, 2), measure);
    // Isolated, so that a right-to-left name leaves the order of the others alone.
    return members.length > 1 && RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
  });
  const more = members.length - names.length;
  const joined = fittedText(names.join(" · "), mostWidth * 1.5, measure);
  return more > 0 ? `${joined} +${more}` : joined;
}

// The rectangle around the discs of a group, seen from its anchor.
function extentOf({ anchor, members }, { view, x, y, radius }) {
  const extent = { left: 0, right: 0, top: 0, bottom: 0 };
  for (const i of members) {
    const dx = (x[i] - x[anchor]) * view.scale;
    const dy = (y[anchor] - y[i]) * view.scale;
    extent.left = Math.min(extent.left, dx);
    extent.right = Math.max(extent.right, dx);
    extent.top = Math.min(extent.top, dy);
    extent.bottom = Math.max(extent.bottom, dy);
  }
  extent.left -= radius;
  extent.right += radius;
  extent.top -= radius;
  extent.bottom += radius;
  return extent;
}

// Where a label may stand around its objects, best first.
function slotsFor({ left, right, top, bottom }, { width, height }, count) {
  const middle = (top + bottom - height) / 2;
  const centre = (left + right - width) / 2;
  const [above, below] = [top - height, bottom];
  const corner = 2;
  const slots = [
    [right + GAP, middle],
    [left - GAP - width, middle],
    [right - corner, above + corner],
    [right - corner, below - corner],
    [left + corner - width, above + corner],
    [left + corner - width, below - corner],
    [centre, above - 1],
    [centre, below + 1],
  ].map(([dx, dy]) => ({ dx, dy, leader: false }));
  if (count > MOST_WITH_LEADERS) return slots;
  const far = [
    [right + LEADER, above - LEADER / 2],
    [right + LEADER, below + LEADER / 2],
    [left - LEADER - width, above - LEADER / 2],
    [left - LEADER - width, below + LEADER / 2],
    [centre, above - LEADER],
    [centre, below + LEADER],
  ].map(([dx, dy]) => ({ dx, dy, leader: true }));
  return [...slots, ...far];
}

// Keeps account of what is taken: the stage's edges, blocked corners, objects, other labels.
function makeRoom({ view, x, y, index, radius }, blocked, groupOf) {
  const cell = 96;
  const taken = new Map();
  const boxOf = (group, slot, size) => {
    const left = screenX(view, x[group.anchor]) + slot.dx;
    const top = screenY(view, y[group.anchor]) + slot.dy;
    return { left, top, right: left + size.width, bottom: top + size.height };
  };
  const cellsOf = function* (box) {
    for (let c = Math.floor(box.left / cell); c <= Math.floor(box.right / cell); c++) {
      for (let r = Math.floor(box.top / cell); r <= Math.floor(box.bottom / cell); r++) {
        yield c * 10007 + r;
      }
    }
  };
  const meetsLabel = (box) => {
    for (const key of cellsOf(box)) {
      if (taken.get(key)?.some((other) => overlap(box, other))) return true;
    }
    return false;
  };
  const meetsObject = (box, group) => {
    const [left, top] = toMap(view, [box.left - radius, box.top - radius + 2]);
    const [right, bottom] = toMap(view, [box.right + radius, box.bottom + radius - 2]);
    const foreign = (i) => groupOf[i] !== group.number;
    return visitRectangle(index, left, right, bottom, top, foreign);
  };
  return {
    fits(group, slot, size) {
      const box = boxOf(group, slot, size);
      const seen = onStage(group.anchor, view, x, y);
      if (seen && !within(box, view.width, view.height)) return false;
      if (blocked.some((other) => overlap(box, other))) return false;
      return !meetsLabel(box) && !meetsObject(box, group);
    },
    take(group, slot, size) {
      const box = boxOf(group, slot, size);
      for (const key of cellsOf(box)) {
        if (!taken.has(key)) taken.set(key, []);
        taken.get(key).push(box);
      }
    },
  };
}

export function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function within(box, width, height) {
  return box.left >= 2 && box.top >= 2 && box.right <= width - 2 && box.bottom <= height - 2;
}
