// What a drag or a click does with each tool. A gesture is {move(p), up(p), cancel()};
// p = {at: [sx, sy] on the stage, shift, touch}. Drafts are kept in map coordinates.

import {
  distance,
  insidePolygon,
  pathLength,
  resampled,
  splined,
  steadied,
  thinned,
} from "./geometry.js";
import { panned, toMap, toScreen } from "./view.js";
import { nearestObject } from "./spatial.js";
import { labelBox } from "./labels.js";
import { moveView, redraw } from "./render.js";
import { placeOf, setDrawing, setSelection, toggled } from "./state.js";

const CLICK = 4;
const REACH = { mouse: 14, touch: 24 };
const SHORTEST_ARROW = 8;
const CLOSES_WITHIN = 20;
const SHORTEST_LOOP = 90;
const STEP = 3;
const SPACING = 6;
const MOST_POINTS = 300;
const ANGLE_STEP = Math.PI / 12;

export function beginGesture(m, p) {
  const begin = { move: pan, select: lasso, arrow: beginArrow, curve: beginCurve }[m.tool];
  return begin(m, p);
}

export function pan(m, from) {
  const view = m.view;
  let dragged = false;
  return {
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
export function objectAt(m, { at, touch }) {
  const reach = (touch ? REACH.touch : REACH.mouse) / m.view.scale;
  const found = nearestObject(m.index, ...toMap(m.view, at), reach);
  if (found >= 0 || m.motion) return found;
  const label = m.labels.find((one) => inBox(labelBox(one, m.view, m.x, m.y), at));
  return label ? label.anchor : -1;
}

// The handle of the arrow at a place of the stage: "start", "end" or null.
export function handleAt(m, { at, touch }) {
  if (m.tool !== "arrow" || m.drawing?.kind !== "arrow") return null;
  const reach = touch ? REACH.touch : REACH.mouse;
  const gap = (end) => distance(toScreen(m.view, m.drawing[end]), at);
  const nearer = gap("end") <= gap("start") ? "end" : "start";
  return gap(nearer) <= reach ? nearer : null;
}

function lasso(m, from) {
  const points = [toMap(m.view, from.at)];
  let last = from.at;
  let dragged = false;
  return {
    move(p) {
      if (distance(last, p.at) < STEP) return;
      last = p.at;
      points.push(toMap(m.view, p.at));
      dragged ||= distance(from.at, p.at) > CLICK;
      if (dragged) showDraft(m, { kind: "lasso", points });
    },
    up(p) {
      m.draft = null;
      redraw(m, "overlay");
      if (dragged) selectInside(m, points, p.shift);
      else selectAt(m, p);
    },
    cancel: () => showDraft(m, null),
  };
}

function selectInside(m, polygon, adding) {
  const inside = [];
  for (let i = 0; i < m.x.length; i++) {
    if (insidePolygon(polygon, m.x[i], m.y[i])) inside.push(i);
  }
  setSelection(m, adding ? [...new Set([...m.selected, ...inside])] : inside);
}

function selectAt(m, p) {
  const found = objectAt(m, p);
  m.card.show(found);
  if (found < 0) {
    if (!p.shift) setSelection(m, []);
    return;
  }
  const picked = inOnePlace(m, found);
  if (!p.shift) setSelection(m, picked);
  else if (m.selected.includes(found)) {
    setSelection(
      m,
      m.selected.filter((i) => !picked.includes(i)),
    );
  } else setSelection(m, [...new Set([...m.selected, ...picked])]);
}

// Objects that no pointer can tell apart are picked together.
function inOnePlace(m, object) {
  const [x, y] = placeOf(m, object);
  const all = Array.from(m.x.keys());
  return all.filter((i) => m.index.x[i] === x && m.index.y[i] === y);
}

export function toggleObject(m, object) {
  setSelection(m, toggled(m.selected, object));
}

function beginArrow(m, from) {
  const handle = handleAt(m, from);
  const fixed = handle ? m.drawing[handle === "end" ? "start" : "end"] : toMap(m.view, from.at);
  const shape = (p) => {
    const free = p.shift ? snapped(toScreen(m.view, fixed), p.at) : p.at;
    const moving = toMap(m.view, free);
    const [start, end] = handle === "start" ? [moving, fixed] : [fixed, moving];
    return { kind: "arrow", start, end };
  };
  const long = (p) => distance(toScreen(m.view, fixed), p.at) >= SHORTEST_ARROW;
  return {
    move(p) {
      showDraft(m, long(p) ? { kind: "arrow", drawing: shape(p) } : null);
    },
    up(p) {
      const moved = distance(from.at, p.at) > 0;
      if (long(p) && moved) setDrawing(m, shape(p));
      else showDraft(m, null);
    },
    cancel: () => showDraft(m, null),
  };
}

// With Shift, an arrow turns in steps of 15 degrees.
function snapped(from, to) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const turned = Math.round(angle / ANGLE_STEP) * ANGLE_STEP;
  const length = distance(from, to);
  return [from[0] + length * Math.cos(turned), from[1] + length * Math.sin(turned)];
}

function beginCurve(m, from) {
  return m.draft?.knots ? addKnot(m) : freehand(m, from);
}

function freehand(m, from) {
  const points = [toMap(m.view, from.at)];
  let last = from.at;
  const onScreen = () => points.map((point) => toScreen(m.view, point));
  const closes = (line) =>
    distance(line[0], line[line.length - 1]) <= CLOSES_WITHIN && pathLength(line) >= SHORTEST_LOOP;
  return {
    move(p) {
      if (distance(last, p.at) < STEP) return;
      last = p.at;
      points.push(toMap(m.view, p.at));
      showDraft(m, { kind: "curve", points, closing: closes(onScreen()) });
    },
    up(p) {
      const line = onScreen();
      if (pathLength(line) <= 2 * CLICK) return startKnots(m, p);
      const closed = closes(line);
      const even = resampled(line, SPACING);
      if (closed) even.pop();
      keepCurve(m, steadied(even, 3, closed), closed);
    },
    cancel: () => showDraft(m, null),
  };
}

function startKnots(m, p) {
  const first = toMap(m.view, p.at);
  showDraft(m, { kind: "curve", points: [first, first], knots: [first] });
  m.toolbar.refresh();
}

// The next click: a further knot, or the first one again, which closes the curve.
function addKnot(m) {
  return {
    move: (p) => stretchToPointer(m, p),
    up(p) {
      const knots = m.draft.knots.map((knot) => toScreen(m.view, knot));
      if (distance(knots[knots.length - 1], p.at) <= CLICK + 1) return;
      if (closesKnots(knots, p)) return void finishKnots(m, true);
      const all = [...m.draft.knots, toMap(m.view, p.at)];
      showDraft(m, { kind: "curve", points: all, knots: all });
    },
    cancel() {},
  };
}

// Between clicks the line follows the pointer.
export function stretchToPointer(m, p) {
  if (!m.draft?.knots) return;
  const knots = m.draft.knots.map((knot) => toScreen(m.view, knot));
  const points = [...m.draft.knots, toMap(m.view, p.at)];
  showDraft(m, { ...m.draft, points, closing: closesKnots(knots, p) });
}

export function removeKnot(m) {
  const knots = m.draft?.knots?.slice(0, -1) ?? [];
  showDraft(m, knots.length ? { kind: "curve", points: knots, knots } : null);
  m.toolbar.refresh();
}

export function finishKnots(m, closed = false) {
  if (!m.draft?.knots) return;
  const knots = m.draft.knots.map((knot) => toScreen(m.view, knot));
  if (knots.length > 1) keepCurve(m, splined(knots, closed, SPACING), closed);
  else showDraft(m, null);
  m.toolbar.refresh();
}

// The keyboard's way to a curve: through the selected objects, in the order of picking.
export function curveThroughSelection(m) {
  const knots = m.selected.map((i) => toScreen(m.view, placeOf(m, i)));
  const apart = knots.filter((knot, k) => !k || distance(knot, knots[k - 1]) > 1);
  if (apart.length < 2) return;
  keepCurve(m, splined(apart, false, SPACING), false);
}

function closesKnots(knots, p) {
  return knots.length > 2 && distance(knots[0], p.at) <= CLOSES_WITHIN * 0.7;
}

function keepCurve(m, line, closed) {
  let points = thinned(line, 0.15);
  if (points.length > MOST_POINTS) points = resampled(points, pathLength(points) / MOST_POINTS);
  setDrawing(m, { kind: "curve", points: points.map((p) => toMap(m.view, p)), closed });
}

function showDraft(m, draft) {
  m.draft = draft;
  redraw(m, "overlay");
}

function inBox(box, [x, y]) {
  const [right, bottom] = [box.left + box.width, box.top + box.height];
  return x >= box.left && x <= right && y >= box.top && y <= bottom;
}
