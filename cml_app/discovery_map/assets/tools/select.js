// Selecting objects: by a lasso around them, or by clicks.

import { addTool } from "../toolbox.js";
import { distance, insidePolygon } from "../geometry.js";
import { toMap, toScreen } from "../view.js";
import { path } from "../marks.js";
import { redraw } from "../render.js";
import { setSelection } from "../state.js";
import { CLICK, STEP, objectAt, objectsAt, showDraft } from "../gestures.js";

addTool({
  name: "select",
  label: "Select",
  title: "Select objects",
  key: "s",
  icon: [
    ["ellipse", { cx: 10.5, cy: 8, rx: 7, ry: 5, "stroke-dasharray": "3 2" }],
    ["path", { d: "M5 11.8c-1.5 1-1.5 3 .3 3.2 1.5.2 1.7-1.7.4-2.3M5 15c-.3 1.3-1 2.3-2 3" }],
  ],
  hint: () => "Drag around objects, or click them; Shift adds.",
  begin: lasso,
  cursorAt: (_m, _p, object) => (object >= 0 ? "pointer" : ""),
  draftMarks: lassoMarks,
});

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
      if (dragged) showDraft(m, { kind: "select", points });
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
  const picked = objectsAt(m, p);
  m.card.show(objectAt(m, p));
  const others = m.selected.filter((i) => !picked.includes(i));
  if (!p.shift) setSelection(m, picked);
  else if (others.length < m.selected.length) setSelection(m, others);
  else setSelection(m, [...others, ...picked]);
}

function lassoMarks({ points }, { view, theme }) {
  return [
    path([points.map((point) => toScreen(view, point))], {
      stroke: theme.text,
      width: 1.5,
      dash: [5, 4],
      closed: true,
      fill: theme.primary,
      fillOpacity: 0.1,
    }),
  ];
}
