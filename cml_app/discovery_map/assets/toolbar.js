// The buttons around the map, and the line below it that says what can be done now.

import { zoomed } from "./view.js";
import { fitView, moveView, redraw, relabel } from "./render.js";
import { toggleDirections } from "./directions.js";
import { clearDrawing, setSelection } from "./state.js";
import { toolInHand } from "./toolbox.js";
import { makeToolButtons } from "./tool_buttons.js";
import { savePng, saveSvg } from "./export.js";
import { canBeFull, isFull, toggleFull } from "./full_screen.js";

export const ZOOM_STEP = 1.4;

const ACTIONS = {
  fit: fitView,
  "zoom-in": (m) => zoomBy(m, ZOOM_STEP),
  "zoom-out": (m) => zoomBy(m, 1 / ZOOM_STEP),
  png: savePng,
  svg: saveSvg,
  full: toggleFull,
  directions(m) {
    toggleDirections(m);
    m.toolbar.refresh();
    if (!m.motion) relabel(m);
    redraw(m);
  },
  deselect: (m) => setSelection(m, []),
  "clear-drawing": clearDrawing,
};
const WANTED = {
  deselect: (m) => m.selected.length > 0,
  "clear-drawing": (m) => Boolean(m.drawing),
};

export function makeToolbar(m, signal) {
  const { root } = m;
  const toolButtons = makeToolButtons(m, signal);
  root.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button");
      const action = button?.dataset.action;
      (m.actions?.[action] ?? ACTIONS[action])?.(m);
      // A button that has done its work may be gone, and the focus must not go with it.
      if (button?.hidden) m.stage.focus({ preventScroll: true });
    },
    { signal },
  );
  const status = root.querySelector(".status");
  const full = root.querySelector('[data-action="full"]');
  const directions = root.querySelector('[data-action="directions"]');
  full.hidden = !canBeFull();
  return {
    refresh() {
      toolButtons.refresh();
      for (const button of root.querySelectorAll(".context [data-action]")) {
        button.hidden = !WANTED[button.dataset.action](m);
      }
      full.setAttribute("aria-pressed", String(isFull(m)));
      if (directions) {
        directions.hidden = !m.scene.directions.length;
        directions.setAttribute("aria-pressed", String(m.directionsShown));
      }
      status.textContent = statusWords(m);
    },
  };
}

export function zoomBy(m, factor) {
  const middle = [m.view.width / 2, m.view.height / 2];
  moveView(m, zoomed(m.view, factor, middle, m.fitScale, m.furthestIn), { zooming: true });
}

function statusWords(m) {
  if (m.draft?.hint) return m.draft.hint;
  if (m.words?.()) return m.words();
  return m.selected.length ? `${m.selected.length} selected` : toolInHand(m).hint(m);
}
