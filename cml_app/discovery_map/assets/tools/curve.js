// A curve, drawn by hand or through points: each object gets its place along it, or
// around it where it is closed.

import { addTool } from "../toolbox.js";
import {
  distance,
  footOnPath,
  pathLength,
  pointAlong,
  resampled,
  splined,
  steadied,
  thinned,
} from "../geometry.js";
import { toMap, toScreen } from "../view.js";
import { circle, path } from "../marks.js";
import { HEAD, feetOf, footMarks, headAt } from "../line_marks.js";
import { placeOf, setDrawing } from "../state.js";
import { CLICK, STEP, showDraft } from "../gestures.js";

const CLOSES_WITHIN = 20;
const SHORTEST_LOOP = 90;
const SPACING = 6;
const MOST_POINTS = 300;

addTool({
  name: "curve",
  label: "Curve",
  title: "Draw a curve, open or closed: each object gets its place along or around it",
  key: "c",
  icon: [["path", { d: "M2.5 15C5 4 9 4 10.5 10s5 6 7-4" }]],
  hint: () => "Draw a line, or click points and press Enter.",
  begin: (m, p) => (m.draft?.knots ? addKnot(m) : freehand(m, p)),
  hover: stretchToPointer,
  doubleClick: (m) => finishKnots(m),
  keys: (m) => (m.draft?.knots ? { Enter: () => finishKnots(m), Backspace: removeKnot } : {}),
  actions: [
    {
      short: "Finish",
      long: "Finish curve",
      title: "End the curve at its last point (Enter)",
      wanted: (m) => Boolean(m.draft?.knots),
      act: (m) => finishKnots(m),
    },
  ],
  through: {
    key: "v",
    short: "Curve",
    long: "Curve through selected",
    title: "Draw a curve through the selected objects, in the order of picking",
    help: "V draws a curve through all selected",
    act: throughSelection,
  },
  drawn: {
    line: ({ points, closed }) => [...points, ...(closed ? [points[0]] : [])],
    marks,
    words: ({ closed }) =>
      closed
        ? "Closed curve drawn. Each object has a place around it."
        : "Curve drawn. Each object has a place along it.",
  },
  draftMarks,
});

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
      keep(m, steadied(even, 3, closed), closed);
    },
    cancel: () => showDraft(m, null),
  };
}

function startKnots(m, p) {
  const first = toMap(m.view, p.at);
  showKnots(m, [first], [first, first]);
  m.toolbar.refresh();
}

// Knots are clicked one by one: their draft outlives the gestures.
function showKnots(m, knots, points = knots, closing = false) {
  const hint = "Click further points; Enter ends the curve.";
  showDraft(m, { kind: "curve", knots, points, closing, hint });
}

// The next click: a further knot, or the first one again, which closes the curve.
function addKnot(m) {
  return {
    move: (p) => stretchToPointer(m, p),
    up(p) {
      const knots = m.draft.knots.map((knot) => toScreen(m.view, knot));
      if (distance(knots[knots.length - 1], p.at) <= CLICK + 1) return;
      if (closesKnots(knots, p)) finishKnots(m, true);
      else showKnots(m, [...m.draft.knots, toMap(m.view, p.at)]);
    },
    cancel() {},
  };
}

// Between clicks the line follows the pointer.
function stretchToPointer(m, p) {
  const knots = m.draft?.knots;
  if (!knots) return;
  const closing = closesKnots(
    knots.map((knot) => toScreen(m.view, knot)),
    p,
  );
  showKnots(m, knots, [...knots, toMap(m.view, p.at)], closing);
}

function removeKnot(m) {
  const knots = m.draft.knots.slice(0, -1);
  if (knots.length) showKnots(m, knots);
  else showDraft(m, null);
  m.toolbar.refresh();
}

function finishKnots(m, closed = false) {
  if (!m.draft?.knots) return;
  const knots = m.draft.knots.map((knot) => toScreen(m.view, knot));
  if (knots.length > 1) keep(m, splined(knots, closed, SPACING), closed);
  else showDraft(m, null);
  m.toolbar.refresh();
}

function closesKnots(knots, p) {
  return knots.length > 2 && distance(knots[0], p.at) <= CLOSES_WITHIN * 0.7;
}

// Through the selected objects, in the order of picking.
function throughSelection(m) {
  const knots = m.selected.map((i) => toScreen(m.view, placeOf(m, i)));
  const apart = knots.filter((knot, k) => !k || distance(knot, knots[k - 1]) > 1);
  if (apart.length < 2) return;
  keep(m, splined(apart, false, SPACING), false);
}

function keep(m, line, closed) {
  let points = thinned(line, 0.15);
  if (points.length > MOST_POINTS) points = resampled(points, pathLength(points) / MOST_POINTS);
  setDrawing(m, { kind: "curve", points: points.map((p) => toMap(m.view, p)), closed });
}

function marks({ points, closed }, picture) {
  const { view, theme } = picture;
  const line = points.map((point) => toScreen(view, point));
  const look = { stroke: theme.ink, width: 3, cap: "round", join: "round", closed };
  const footOf = (sx, sy) => footOnPath(line, closed, sx, sy);
  const wash = closed ? { fill: theme.ink, fillOpacity: 0.06 } : {};
  const shown = [
    ...footMarks(feetOf(footOf, picture), theme),
    path([closed ? line : shortened(line, HEAD * 0.8)], { ...look, ...wash }),
    path([circle(...line[0], 5)], { fill: theme.ink, closed: true }),
  ];
  // The head tells which way the values rise; on a closed curve it stands a quarter of the way.
  const head = closed ? quarterPoint(line) : line.length - 1;
  const behind = line[lastBefore(line, head, HEAD)];
  return [...shown, path([headAt(behind, line[head])], { fill: theme.ink, closed: true })];
}

// Without its last stretch, so that the line does not show beside the tip of the head.
function shortened(line, stretch) {
  const tip = line[line.length - 1];
  const last = lastBefore(line, line.length - 1, stretch);
  const gap = distance(tip, line[last]);
  return [...line.slice(0, last + 1), pointAlong(tip, line[last], Math.min(1, stretch / gap))];
}

function draftMarks({ points, knots, closing }, { view, theme }) {
  const line = points.map((point) => toScreen(view, point));
  const look = { stroke: theme.ink, width: 2.5, cap: "round", join: "round" };
  const shown = [path([line], { ...look, dash: knots ? [6, 5] : undefined })];
  for (const knot of knots ?? []) {
    shown.push(path([circle(...toScreen(view, knot), 4)], { fill: theme.ink, closed: true }));
  }
  if (closing) {
    shown.push(path([circle(...line[0], 11)], { stroke: theme.ink, width: 2, closed: true }));
  }
  return shown;
}

function quarterPoint(line) {
  const wanted = pathLength(line) / 4;
  let passed = 0;
  for (let i = 1; i < line.length; i++) {
    passed += distance(line[i - 1], line[i]);
    if (passed >= wanted) return i;
  }
  return line.length - 1;
}

function lastBefore(line, from, gap) {
  let i = from - 1;
  while (i > 0 && distance(line[i], line[from]) < gap) i -= 1;
  return i;
}
