// Drawing without a mouse: the arrow keys move the map beneath a cross in the middle of the stage,
// and Space sets a point there.

import { toMap } from "../../discovery_map/assets/view.js";
import { setDrawing } from "../../discovery_map/assets/state.js";
import { lookAt } from "../../discovery_map/assets/looking.js";
import { showDraft } from "../../discovery_map/assets/gestures.js";
import { toolInHand } from "../../discovery_map/assets/toolbox.js";
import { path } from "../../discovery_map/assets/marks.js";

const ARM = 9;

export function pinKeys(m) {
  return { " ": () => setPoint(m), Enter: () => endPoints(m) };
}

// Where the next point would be set.
export function crossMarks(m) {
  if (!m.keyboardHere || m.tool === "move") return [];
  const [x, y] = middleOf(m);
  const lines = [
    [
      [x - ARM, y],
      [x + ARM, y],
    ],
    [
      [x, y - ARM],
      [x, y + ARM],
    ],
  ];
  return [
    path(lines, { stroke: m.theme.background, width: 5, cap: "round" }),
    path(lines, { stroke: m.theme.ink, width: 2, cap: "round" }),
  ];
}

function middleOf(m) {
  return [m.view.width / 2, m.view.height / 2];
}

const SETTING = { arrow: setEnd, lasso: setCorner, curve: setKnot };

function setPoint(m) {
  if (m.tool === "move") tellMore(m);
  else SETTING[m.tool](m, toMap(m.view, middleOf(m)));
}

// A curve has an Enter of its own while it is drawn.
function endPoints(m) {
  if (m.tool === "move") return tellMore(m);
  const corners = m.draft?.corners;
  if (!corners) return setPoint(m);
  if (corners.length > 2) setDrawing(m, { kind: "lasso", points: corners });
  else m.announce("A line around objects needs three corners.");
  return undefined;
}

function tellMore(m) {
  if (m.current >= 0) lookAt(m, m.current);
  else m.announce("No current object; press Shift with an arrow key.");
}

function setEnd(m, place) {
  const start = m.draft?.tail;
  if (start && (start[0] !== place[0] || start[1] !== place[1])) {
    setDrawing(m, { kind: "arrow", start, end: place });
    return;
  }
  showDraft(m, { kind: "arrow", tail: place, hint: "Move the map; Space sets the tip." });
  m.toolbar.refresh();
  m.announce("Tail set. Move the map with the arrow keys; Space sets the tip.");
}

function setCorner(m, place) {
  const corners = [...(m.draft?.corners ?? []), place];
  const hint = "Move the map; Space sets a corner, Enter ends the line.";
  showDraft(m, { kind: "lasso", corners, points: corners, hint });
  m.toolbar.refresh();
  m.announce(`Corner ${corners.length} set. ${hint}`);
}

function setKnot(m) {
  const p = { at: middleOf(m), shift: false, touch: false };
  toolInHand(m).begin(m, p).up(p);
  m.announce(`Point set. ${m.draft?.hint ?? ""}`);
}
