// The buttons around the map, and the line below it that says what can be done now.

import { zoomed } from "./view.js";
import { fitView, moveView } from "./render.js";
import { arrowThroughSelection, dropDraft, setDrawing, setSelection, setTool } from "./state.js";
import { curveThroughSelection, finishKnots } from "./tools.js";
import { savePng, saveSvg } from "./export.js";

export const ZOOM_STEP = 1.4;

const HINTS = {
  move: "Drag to move, scroll or pinch to zoom.",
  select: "Drag around objects, or click them; Shift adds.",
  arrow: "Drag an arrow from low to high.",
  curve: "Draw a line, or click points and press Enter.",
};

const ACTIONS = {
  fit: fitView,
  "zoom-in": (m) => zoomBy(m, ZOOM_STEP),
  "zoom-out": (m) => zoomBy(m, 1 / ZOOM_STEP),
  png: savePng,
  svg: saveSvg,
  "arrow-through": arrowThroughSelection,
  "curve-through": curveThroughSelection,
  deselect: (m) => setSelection(m, []),
  "finish-curve": (m) => finishKnots(m),
  "clear-drawing": clearDrawing,
};

export function makeToolbar(m, signal) {
  const { root } = m;
  root.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.tool) setTool(m, button.dataset.tool);
      else if (button?.dataset.action) ACTIONS[button.dataset.action](m);
      // A button that has done its work may be gone, and the focus must not go with it.
      if (button?.hidden) m.stage.focus({ preventScroll: true });
    },
    { signal },
  );
  const status = root.querySelector(".status");
  return {
    refresh() {
      for (const button of root.querySelectorAll("[data-tool]")) {
        button.setAttribute("aria-pressed", String(button.dataset.tool === m.tool));
      }
      status.textContent = statusWords(m);
      const shown = shownActions(m);
      for (const button of root.querySelectorAll(".context [data-action]")) {
        button.hidden = !shown.has(button.dataset.action);
      }
      root.dataset.tool = m.tool;
    },
  };
}

export function zoomBy(m, factor) {
  const middle = [m.view.width / 2, m.view.height / 2];
  moveView(m, zoomed(m.view, factor, middle, m.fitScale), { zooming: true });
}

export function clearDrawing(m) {
  dropDraft(m);
  setDrawing(m, null);
}

function statusWords(m) {
  if (m.draft?.knots) return "Click further points; Enter ends the curve.";
  if (m.selected.length) return `${m.selected.length} selected`;
  if (m.drawing?.kind === "arrow" && m.tool === "arrow") return "Drag either end to adjust it.";
  return HINTS[m.tool];
}

function shownActions(m) {
  const shown = new Set();
  if (m.draft?.knots) shown.add("finish-curve");
  if (m.selected.length >= 2) shown.add(m.tool === "curve" ? "curve-through" : "arrow-through");
  if (m.selected.length) shown.add("deselect");
  if (m.drawing) shown.add("clear-drawing");
  return shown;
}
