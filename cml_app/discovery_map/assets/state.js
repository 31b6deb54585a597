// What the visitor has on the map: the tool, the selection, the drawing. It changes here only,
// and Python is told once for each change.

import { redraw, relabel } from "./render.js";
import { drawingWords } from "./toolbox.js";
import { onOthers } from "./linking.js";

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
  takeSelection(m, objects);
  m.announce(selectionWords(m));
  onOthers(m, objects, takeSelection);
}

function takeSelection(m, objects) {
  m.selected = objects;
  m.toolbar.refresh();
  labelAll(m, objects);
  redraw(m);
  tell(m);
}

export function toggleObject(m, i) {
  const { selected } = m;
  setSelection(
    m,
    selected.includes(i) ? selected.filter((other) => other !== i) : [...selected, i],
  );
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

export function clearDrawing(m) {
  dropDraft(m);
  setDrawing(m, null);
}

export function placeOf(m, i) {
  return [m.index.x[i], m.index.y[i]];
}

// Every object that matters now shows its name, where there is room.
export function labelAll(m, objects) {
  const named = new Set(m.labels.flatMap((label) => label.members));
  if (!m.motion && objects.some((i) => !named.has(i))) relabel(m);
}

export function tell(m) {
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
    .join(" · ");
  return `${count} selected: ${names}${count > 5 ? " and others" : ""}.`;
}
