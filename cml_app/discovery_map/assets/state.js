// What the visitor has on the map: the tool, the selection, the drawing. It changes here only,
// and Python is told once for each change.

import { redraw, relabel } from "./render.js";

export function setTool(m, tool) {
  if (tool === m.tool) return;
  dropDraft(m);
  m.tool = tool;
  m.toolbar.refresh();
  redraw(m);
  tell(m);
}

export function setSelection(m, objects) {
  if (objects.length === m.selected.length && objects.every((i, k) => i === m.selected[k])) return;
  m.selected = objects;
  m.toolbar.refresh();
  m.announce(selectionWords(m));
  labelAll(m, objects);
  redraw(m);
  tell(m);
}

export function toggled(objects, i) {
  return objects.includes(i) ? objects.filter((other) => other !== i) : [...objects, i];
}

export function setDrawing(m, drawing) {
  m.draft = null;
  redraw(m);
  if (!drawing && !m.drawing) return;
  m.drawing = drawing;
  if (!m.motion) relabel(m);
  m.toolbar.refresh();
  m.announce(drawingWords(drawing));
  tell(m);
}

export function dropDraft(m) {
  m.gesture?.cancel();
  m.gesture = null;
  if (!m.draft) return;
  m.draft = null;
  m.toolbar.refresh();
  redraw(m, "overlay");
}

export function arrowThroughSelection(m) {
  if (m.selected.length < 2) return;
  const [start, end] = [placeOf(m, m.selected[0]), placeOf(m, m.selected[1])];
  if (start[0] === end[0] && start[1] === end[1]) {
    m.announce("These two objects are in the same place; no arrow joins them.");
    return;
  }
  setDrawing(m, { kind: "arrow", start, end });
}

export function placeOf(m, i) {
  return [m.index.x[i], m.index.y[i]];
}

// Every object that matters now shows its name, where there is room.
export function labelAll(m, objects) {
  const named = new Set(m.labels.flatMap((label) => label.members));
  if (!m.motion && objects.some((i) => !named.has(i))) relabel(m);
}

function tell(m) {
  m.send({
    map_id: m.scene.map_id,
    revision: m.scene.revision,
    tool: m.tool,
    selected: m.selected,
    drawing: m.drawing,
  });
}

function selectionWords(m) {
  const count = m.selected.length;
  if (!count) return "Nothing selected.";
  const names = m.selected
    .slice(0, 5)
    .map((i) => m.scene.labels[i])
    .join(", ");
  return `${count} selected: ${names}${count > 5 ? " and others" : ""}.`;
}

function drawingWords(drawing) {
  if (!drawing) return "Drawing cleared.";
  if (drawing.kind === "arrow") return "Arrow drawn. Each object has a place along it.";
  return drawing.closed
    ? "Closed curve drawn. Each object has a place around it."
    : "Curve drawn. Each object has a place along it.";
}
