// What all panels of a grid share: the selection, the tool, and the object that is pointed at.

import { cardWords } from "../../discovery_map/assets/card.js";
import { setTool } from "../../discovery_map/assets/state.js";

// One message for all panels that have changed by one gesture.
export function tellSelection(grid, selected) {
  if (sameObjects(selected, grid.selected)) return;
  const { waiting } = grid;
  grid.selected = grid.waiting = selected;
  if (waiting) return;
  queueMicrotask(() => {
    grid.send({ revision: grid.data.revision, selected: grid.waiting });
    grid.waiting = null;
  });
}

export function takeTool(grid, tool) {
  if (tool === grid.tool) return;
  grid.tool = tool;
  for (const { m } of grid.panels.values()) setTool(m, tool);
  showTools(grid);
}

function sameObjects(a, b) {
  return a.length === b.length && a.every((i, k) => i === b[k]);
}

// What is told of the object that is pointed at, in one place for all panels.
export function showPointed(grid, m, object) {
  const status = grid.root.querySelector(".status");
  status.textContent = object < 0 ? "" : cardWords(m, object);
}

export function showTools(grid) {
  for (const { tool, button } of grid.tools) {
    button.setAttribute("aria-pressed", String(tool.name === grid.tool));
  }
}
