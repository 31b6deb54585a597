// A straight line: each object gets its distance from it, on one side above zero.

import { addTool } from "../toolbox.js";
import { distance } from "../geometry.js";
import { toMap, toScreen } from "../view.js";
import { path } from "../marks.js";
import { placeOf, setDrawing } from "../state.js";
import { showDraft } from "../gestures.js";

const SHORTEST = 8;

addTool({
  name: "line",
  label: "Line",
  title: "Draw a line: each object gets its distance from it",
  key: "l",
  icon: [["path", { d: "M3 17 17 3" }]],
  hint: () => "Drag a line that parts the objects.",
  begin,
  through: {
    key: "w",
    short: "Line 1 – 2",
    long: "Line through first and second selected",
    title: "Draw a line through the first and the second selected object",
    help: "W draws a line through them",
    act: throughSelection,
  },
  drawn: {
    line: ({ start, end }) => [start, end],
    marks: ({ start, end }, { view, theme }) => [
      path([[toScreen(view, start), toScreen(view, end)]], { stroke: theme.ink, width: 3 }),
    ],
    words: () => "Line drawn. Each object has its distance from it.",
  },
});

function begin(m, from) {
  const start = toMap(m.view, from.at);
  const drawing = (p) => ({ kind: "line", start, end: toMap(m.view, p.at) });
  const long = (p) => distance(from.at, p.at) >= SHORTEST;
  const drop = () => showDraft(m, null);
  return {
    move: (p) => showDraft(m, long(p) ? { kind: "line", drawing: drawing(p) } : null),
    up: (p) => (long(p) ? setDrawing(m, drawing(p)) : drop()),
    cancel: drop,
  };
}

function throughSelection(m) {
  if (m.selected.length < 2) return;
  const [start, end] = m.selected.map((i) => placeOf(m, i));
  setDrawing(m, { kind: "line", start, end });
}
