// An arrow from low to high: each object gets its place along it.

import { addTool } from "../toolbox.js";
import { distance, pointAlong, shareAlong } from "../geometry.js";
import { toMap, toScreen } from "../view.js";
import { circle, path } from "../marks.js";
import { HEAD, feetOf, footMarks, headAt } from "../line_marks.js";
import { placeOf, setDrawing } from "../state.js";
import { handleAt, showDraft } from "../gestures.js";

const SHORTEST = 8;
const ANGLE_STEP = Math.PI / 12;
const HANDLE = 10;

addTool({
  name: "arrow",
  label: "Arrow",
  title: "Draw an arrow: each object gets its place along it",
  key: "a",
  icon: [["path", { d: "M3 17 17 3M9.5 3H17v7.5" }]],
  hint: (m) =>
    isArrow(m.drawing) ? "Drag either end to adjust it." : "Drag an arrow from low to high.",
  begin,
  cursorAt: (m, p) => (grippedEnd(m, p) ? "move" : ""),
  through: {
    key: "x",
    short: "Arrow 1 → 2",
    long: "Arrow from first to second selected",
    title: "Draw an arrow from the first to the second selected object",
    help: "With two objects selected, X draws an arrow from the first to the second",
    act: throughSelection,
  },
  drawn: {
    line: ({ start, end }) => [start, end],
    marks,
    words: () => "Arrow drawn. Each object has a place along it.",
  },
});

function isArrow(drawing) {
  return drawing?.kind === "arrow";
}

// The end that a pointer can take hold of: "start", "end" or undefined.
function grippedEnd(m, p) {
  if (!isArrow(m.drawing)) return undefined;
  // Where both are in reach and equally near, it is the tip.
  const { start, end } = m.drawing;
  return ["end", "start"][handleAt(m, p, [end, start])];
}

function begin(m, from) {
  const gripped = grippedEnd(m, from);
  const fixed = gripped ? m.drawing[gripped === "end" ? "start" : "end"] : toMap(m.view, from.at);
  const shape = (p) => {
    const free = p.shift ? snapped(toScreen(m.view, fixed), p.at) : p.at;
    const moving = toMap(m.view, free);
    const [start, end] = gripped === "start" ? [moving, fixed] : [fixed, moving];
    return { kind: "arrow", start, end };
  };
  const long = (p) => distance(toScreen(m.view, fixed), p.at) >= SHORTEST;
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

function throughSelection(m) {
  if (m.selected.length < 2) return;
  const [start, end] = [placeOf(m, m.selected[0]), placeOf(m, m.selected[1])];
  if (start[0] === end[0] && start[1] === end[1]) {
    m.announce("These two objects are in the same place; no arrow joins them.");
    return;
  }
  setDrawing(m, { kind: "arrow", start, end });
}

function marks({ start, end }, picture) {
  const { view, theme, tool } = picture;
  const [tail, tip] = [toScreen(view, start), toScreen(view, end)];
  const length = distance(tail, tip);
  if (!length) return [];
  const base = pointAlong(tail, tip, 1 - Math.min(HEAD * 0.8, length) / length);
  const footOf = (sx, sy) => pointAlong(tail, tip, shareAlong(tail, tip, sx, sy));
  const feet = feetOf(footOf, picture);
  const shown = [
    ...beyondMarks(tail, tip, feet, theme),
    ...footMarks(feet, theme),
    path([[tail, base]], { stroke: theme.ink, width: 3, cap: "round" }),
    path([headAt(tail, tip)], { fill: theme.ink, closed: true }),
  ];
  if (tool !== "arrow") return shown;
  const knob = { fill: theme.ink, fillOpacity: 0.12, stroke: theme.ink, strokeOpacity: 0.6 };
  const knobs = [circle(...tail, HANDLE), circle(...tip, HANDLE)];
  return [...shown, path(knobs, { ...knob, closed: true })];
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
