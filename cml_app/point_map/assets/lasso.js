// A line drawn around objects: Python finds out which lie inside.

import { addTool } from "../../discovery_map/assets/toolbox.js";
import { distance, pathLength, resampled, thinned } from "../../discovery_map/assets/geometry.js";
import { toMap, toScreen } from "../../discovery_map/assets/view.js";
import { path } from "../../discovery_map/assets/marks.js";
import { redraw } from "../../discovery_map/assets/render.js";
import { setDrawing } from "../../discovery_map/assets/state.js";
import { lookAt } from "../../discovery_map/assets/looking.js";
import { CLICK, STEP, objectAt, showDraft } from "../../discovery_map/assets/gestures.js";

const MOST_CORNERS = 300;

addTool({
  name: "lasso",
  label: "Lasso",
  title: "Draw a line around objects",
  key: "s",
  icon: [
    ["ellipse", { cx: 10.5, cy: 8, rx: 7, ry: 5, "stroke-dasharray": "3 2" }],
    ["path", { d: "M5 11.8c-1.5 1-1.5 3 .3 3.2 1.5.2 1.7-1.7.4-2.3M5 15c-.3 1.3-1 2.3-2 3" }],
  ],
  hint: () => "Drag a line around objects.",
  begin,
  drawn: {
    line: ({ points }) => [...points, points[0]],
    marks: ({ points }, picture) => lassoMarks(points, picture, []),
    words: () => "A line around objects.",
  },
  draftMarks: ({ points }, picture) => lassoMarks(points, picture, [5, 4]),
});

function begin(m, from) {
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
      if (dragged && points.length > 2) setDrawing(m, regionOf(m, points));
      else lookAt(m, objectAt(m, p));
    },
    cancel: () => showDraft(m, null),
  };
}

// As many corners as can be seen.
function regionOf(m, points) {
  const line = points.map((point) => toScreen(m.view, point));
  let few = thinned(line, 0.25);
  if (few.length > MOST_CORNERS) few = resampled(few, pathLength(few) / MOST_CORNERS);
  return { kind: "lasso", points: few.map((point) => toMap(m.view, point)) };
}

function lassoMarks(points, { view, theme }, dash) {
  const line = points.map((point) => toScreen(view, point));
  return [
    path([line], { stroke: theme.background, width: 4, opacity: 0.6, closed: true }),
    path([line], {
      stroke: theme.text,
      width: 1.75,
      dash,
      closed: true,
      join: "round",
      fill: theme.primary,
      fillOpacity: 0.1,
    }),
  ];
}
