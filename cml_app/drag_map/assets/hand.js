// The tool: an object under the pointer is moved, with springs to all others.

import { path } from "../../discovery_map/assets/marks.js";
import { makeIndex } from "../../discovery_map/assets/spatial.js";
import { addTool } from "../../discovery_map/assets/toolbox.js";
import { objectAt } from "../../discovery_map/assets/gestures.js";
import { boundsOf, screenX, screenY, toMap } from "../../discovery_map/assets/view.js";
import { dataBetween, stressInWords, stressOf } from "./numbers.js";

const UNMOVED = { move() {}, up() {}, cancel() {} };

addTool({
  name: "hand",
  label: "Move objects",
  title: "Move objects",
  key: "m",
  icon: [],
  hint: () => "",
  scrollsPage: true,
  begin(m, p) {
    const i = m.drag.data.movable ? objectAt(m, p) : -1;
    return i < 0 ? UNMOVED : dragging(m, i);
  },
  cursorAt: (m, _, object) => (object >= 0 && m.drag.data.movable ? "grab" : ""),
  draftMarks: (draft, picture) => (draft.springs ? springMarks(draft, picture) : []),
});

function dragging(m, i) {
  const from = [m.x[i], m.y[i]];
  hold(m, i);
  return {
    cursor: "grabbing",
    move: (p) => carry(m, i, toMap(m.view, withinStage(m, p.at))),
    up: () => putDown(m, i, from),
    cancel() {
      carry(m, i, from);
      putDown(m, i, from);
    },
  };
}

export function hold(m, i) {
  m.drag.last = i;
  m.current = i;
  m.drag.focus(i);
  showSprings(m);
}

// The object goes where the hand goes; what is beside the map follows.
export function carry(m, i, [x, y]) {
  m.x[i] = x;
  m.y[i] = y;
  m.drag.follow();
}

export function putDown(m, i, [x, y]) {
  m.bounds = boundsOf(m.x, m.y);
  m.index = makeIndex(m.x, m.y, m.bounds);
  if (m.x[i] === x && m.y[i] === y) return;
  const { drag } = m;
  const stress = stressOf(drag.data, m.x, m.y);
  drag.root.dataset.stress = stress ?? "";
  const said = stress === null ? "" : ` Stress ${stressInWords(stress)}.`;
  drag.announce(`${drag.data.labels[i]} moved.${said}`);
  const press = Math.random().toString(36).slice(2);
  const { map_id } = drag.data;
  drag.tell({ press, map_id, object: i, place: [m.x[i], m.y[i]], stress });
}

export function showSprings(m) {
  const { data, last } = m.drag;
  m.draft = last < 0 ? null : { kind: "hand", object: last, springs: data.springs, data };
}

function withinStage(m, [sx, sy]) {
  const within = (value, most) => Math.max(6, Math.min(most - 6, value));
  return [within(sx, m.view.width), within(sy, m.view.height)];
}

// Where a pair is drawn too far apart its spring is red, where too near it is blue.
function springMarks({ object, data }, { view, x, y }) {
  const here = [screenX(view, x[object]), screenY(view, y[object])];
  return Array.from(x, (_, j) => j)
    .filter((j) => j !== object)
    .map((j) => {
      const far = Math.hypot(x[j] - x[object], y[j] - y[object]);
      const wrong = far - dataBetween(data, object, j);
      const share = Math.min(1, Math.abs(wrong) / (dataBetween(data, object, j) || 1));
      const there = [screenX(view, x[j]), screenY(view, y[j])];
      const look = { stroke: wrong > 0 ? "#e03131" : "#1971c2", width: 1 + 3 * share };
      return path([[here, there]], { ...look, opacity: 0.25 + 0.6 * share });
    });
}
