// Marks of what is drawn on the map: arrow, curve, lasso, and the feet of the objects on them.

import { distance, footOnPath, pathLength, pointAlong, shareAlong } from "./geometry.js";
import { screenX, screenY, toScreen } from "./view.js";
import { circle, path } from "./marks.js";

const HEAD = 15;
const HANDLE = 10;
const MOST_WITH_FEET = 1500;
const MOST_WITH_FOOT_LINES = 400;

// drawing: what is kept; draft: what is under way: a lasso or a curve {kind, points}, or a
// {drawing} that is being changed. All in map coordinates.
export function drawingMarks({ view, x, y, drawing, draft, theme, handles }) {
  const marks = [];
  const shown = draft && draft.drawing !== undefined ? draft.drawing : drawing;
  if (shown?.kind === "arrow") marks.push(...arrowMarks(shown, { view, x, y, theme, handles }));
  if (shown?.kind === "curve") marks.push(...curveMarks(shown, { view, x, y, theme }));
  if (draft?.kind === "lasso") marks.push(lassoMark(draft, view, theme));
  if (draft?.kind === "curve") marks.push(...draftCurveMarks(draft, view, theme));
  return marks;
}

function arrowMarks({ start, end }, { view, x, y, theme, handles }) {
  const [tail, tip] = [toScreen(view, start), toScreen(view, end)];
  const length = distance(tail, tip);
  if (!length) return [];
  const base = pointAlong(tail, tip, 1 - Math.min(HEAD * 0.8, length) / length);
  const footOf = (sx, sy) => pointAlong(tail, tip, shareAlong(tail, tip, sx, sy));
  const feet = feetOf(footOf, { view, x, y });
  const marks = [
    ...beyondMarks(tail, tip, feet, theme),
    ...footMarks(feet, theme),
    path([[tail, base]], { stroke: theme.ink, width: 3, cap: "round" }),
    path([headAt(tail, tip)], { fill: theme.ink, closed: true }),
  ];
  if (!handles) return marks;
  const knob = { fill: theme.ink, fillOpacity: 0.12, stroke: theme.ink, strokeOpacity: 0.6 };
  const knobs = [circle(...tail, HANDLE), circle(...tip, HANDLE)];
  return [...marks, path(knobs, { ...knob, closed: true })];
}

// An arrow gives places beyond its ends as well: there its line goes on, thinly.
function beyondMarks(tail, tip, feet, theme) {
  const shares = feet.map(({ foot }) => shareAlong(tail, tip, ...foot));
  const [least, most] = [Math.min(0, ...shares), Math.max(1, ...shares)];
  const lines = [
    [pointAlong(tail, tip, least), tail],
    [tip, pointAlong(tail, tip, most)],
  ];
  return [path(lines, { stroke: theme.ink, width: 1, opacity: 0.55, dash: [4, 4] })];
}

function curveMarks({ points, closed }, { view, x, y, theme }) {
  const line = points.map((point) => toScreen(view, point));
  const look = { stroke: theme.ink, width: 3, cap: "round", join: "round", closed };
  const footOf = (sx, sy) => footOnPath(line, closed, sx, sy);
  const wash = closed ? { fill: theme.ink, fillOpacity: 0.06 } : {};
  const marks = [
    ...footMarks(feetOf(footOf, { view, x, y }), theme),
    path([closed ? line : shortened(line, HEAD * 0.8)], { ...look, ...wash }),
    path([circle(...line[0], 5)], { fill: theme.ink, closed: true }),
  ];
  // The head tells which way the values rise; on a closed curve it stands a quarter of the way.
  const head = closed ? quarterPoint(line) : line.length - 1;
  const behind = line[lastBefore(line, head, HEAD)];
  return [...marks, path([headAt(behind, line[head])], { fill: theme.ink, closed: true })];
}

// Without its last stretch, so that the line does not show beside the tip of the head.
function shortened(line, stretch) {
  const tip = line[line.length - 1];
  const last = lastBefore(line, line.length - 1, stretch);
  const gap = distance(tip, line[last]);
  return [...line.slice(0, last + 1), pointAlong(tip, line[last], Math.min(1, stretch / gap))];
}

function feetOf(footOf, { view, x, y }) {
  if (x.length > MOST_WITH_FEET) return [];
  return Array.from(x, (_, i) => {
    const place = [screenX(view, x[i]), screenY(view, y[i])];
    return { place, foot: footOf(...place) };
  });
}

// Each object's place on the line, and faintly how it gets there.
function footMarks(feet, theme) {
  const ticks = feet.map(({ place, foot }) => tickAt(foot, place));
  const marks = [path(ticks, { stroke: theme.ink, width: 1.5, opacity: 0.8 })];
  if (feet.length > MOST_WITH_FOOT_LINES) return marks;
  const ways = feet.map(({ place, foot }) => [place, foot]);
  return [path(ways, { stroke: theme.ink, width: 1, opacity: 0.28 }), ...marks];
}

// A short stroke across the line, which is where the way from the object points.
function tickAt(foot, place) {
  const gap = distance(foot, place);
  const [ux, uy] = gap > 0.5 ? [(place[0] - foot[0]) / gap, (place[1] - foot[1]) / gap] : [0, 1];
  return [
    [foot[0] - 5 * ux, foot[1] - 5 * uy],
    [foot[0] + 5 * ux, foot[1] + 5 * uy],
  ];
}

function draftCurveMarks({ points, knots, closing }, view, theme) {
  const line = points.map((point) => toScreen(view, point));
  const look = { stroke: theme.ink, width: 2.5, cap: "round", join: "round" };
  const marks = [path([line], { ...look, dash: knots ? [6, 5] : undefined })];
  for (const knot of knots ?? []) {
    marks.push(path([circle(...toScreen(view, knot), 4)], { fill: theme.ink, closed: true }));
  }
  if (closing) {
    marks.push(path([circle(...line[0], 11)], { stroke: theme.ink, width: 2, closed: true }));
  }
  return marks;
}

function lassoMark({ points }, view, theme) {
  return path([points.map((point) => toScreen(view, point))], {
    stroke: theme.text,
    width: 1.5,
    dash: [5, 4],
    closed: true,
    fill: theme.primary,
    fillOpacity: 0.1,
  });
}

function headAt(from, tip) {
  const length = distance(from, tip) || 1;
  const [ux, uy] = [(tip[0] - from[0]) / length, (tip[1] - from[1]) / length];
  const [bx, by] = [tip[0] - HEAD * ux, tip[1] - HEAD * uy];
  const half = HEAD * 0.45;
  return [tip, [bx - half * uy, by + half * ux], [bx + half * uy, by - half * ux]];
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
