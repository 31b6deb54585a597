// Everything without a mouse: move and zoom, go from object to object, select, draw.

import { panned, toMap } from "./view.js";
import { fitView, moveView, placeOnScreen } from "./render.js";
import { clearDrawing, dropDraft, setTool, toggleObject } from "./state.js";
import { lookAt } from "./looking.js";
import { offeredTools, toolInHand } from "./toolbox.js";
import { cardWords } from "./card.js";
import { ZOOM_STEP, zoomBy } from "./toolbar.js";
import { canBeFull, toggleFull } from "./full_screen.js";

const PAN_STEP = 60;
// How much worse it is to lie aside than further ahead.
const ASIDE = 1.5;
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// Keys of the whole map, wherever in it the focus is; those of the tools are others.
const EVERYWHERE = {
  Escape: cancel,
  Delete: clearDrawing,
  f: (m) => canBeFull() && toggleFull(m),
};
// Keys of the stage; on a button, some of these have a meaning of their own.
const ON_STAGE = {
  "+": (m) => zoomBy(m, ZOOM_STEP),
  "=": (m) => zoomBy(m, ZOOM_STEP),
  "-": (m) => zoomBy(m, 1 / ZOOM_STEP),
  0: fitView,
  n: (m) => goTo(m, m.current + 1),
  p: (m) => goTo(m, m.current < 0 ? -1 : m.current - 1),
  Home: (m) => goTo(m, 0),
  End: (m) => goTo(m, -1),
  Enter: toggleCurrent,
  " ": toggleCurrent,
  Backspace: clearDrawing,
};

export function listenToKeys(m, signal) {
  m.root.addEventListener(
    "keydown",
    (event) => {
      if (!act(m, event)) return;
      event.preventDefault();
      // The page has shortcuts of its own (c, r) that must not fire as well.
      event.stopPropagation();
    },
    { signal },
  );
  m.stage.addEventListener("focus", () => m.byKeyboard(m.stage.matches(":focus-visible")), {
    signal,
  });
  m.stage.addEventListener("blur", () => m.byKeyboard(false), { signal });
}

function act(m, event) {
  if (event.metaKey || event.altKey) return false;
  const onStage = event.target === m.stage;
  const direction = onStage && DIRECTIONS[event.key];
  if (direction) {
    if (event.ctrlKey || event.shiftKey) goTowards(m, direction);
    else moveView(m, panned(m.view, -direction[0] * PAN_STEP, -direction[1] * PAN_STEP));
    return true;
  }
  if (event.ctrlKey) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const doIt = meaningEverywhere(m, key) ?? (onStage && meaningOnStage(m, key));
  if (!doIt) return false;
  if (onStage) m.byKeyboard(true);
  doIt(m);
  return true;
}

function meaningEverywhere(m, key) {
  const chosen = offeredTools(m).find((tool) => tool.key === key);
  if (chosen) return (m) => setTool(m, chosen.name);
  const drawing = offeredTools(m).find((tool) => tool.through?.key === key);
  return drawing ? drawing.through.act : EVERYWHERE[key];
}

function meaningOnStage(m, key) {
  return toolInHand(m).keys?.(m)[key] ?? m.keys?.[key] ?? ON_STAGE[key];
}

function cancel(m) {
  const drawing = m.draft || m.gesture;
  dropDraft(m);
  if (drawing) return;
  lookAt(m, -1);
}

// Objects in their order; past either end it begins again.
function goTo(m, object) {
  const count = m.x.length;
  if (!count) return;
  lookAt(m, (object + count) % count, false);
  bringIntoView(m, m.current);
  const chosen = m.selected.includes(m.current) ? ", selected" : "";
  m.announce(`${cardWords(m, m.current)}${chosen}. ${m.current + 1} of ${count}.`);
}

// The object that lies best in a direction: near, and not far off the line.
function goTowards(m, [dx, dy]) {
  m.byKeyboard(true);
  if (m.current < 0) return goTo(m, nearestToMiddle(m));
  const [cx, cy] = placeOnScreen(m, m.current);
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < m.x.length; i++) {
    const [sx, sy] = placeOnScreen(m, i);
    const ahead = (sx - cx) * dx + (sy - cy) * dy;
    const aside = Math.abs((sx - cx) * dy - (sy - cy) * dx);
    const cost = ahead + ASIDE * aside;
    if (ahead > 0.5 && aside <= 2 * ahead && cost < least) {
      least = cost;
      best = i;
    }
  }
  if (best < 0) m.announce("No object further in this direction.");
  else goTo(m, best);
}

function nearestToMiddle(m) {
  const [x, y] = toMap(m.view, [m.view.width / 2, m.view.height / 2]);
  let best = 0;
  const square = (i) => (m.x[i] - x) ** 2 + (m.y[i] - y) ** 2;
  for (let i = 1; i < m.x.length; i++) if (square(i) < square(best)) best = i;
  return best;
}

function bringIntoView(m, object) {
  const [sx, sy] = placeOnScreen(m, object);
  const { width, height } = m.view;
  if (sx > 20 && sy > 20 && sx < width - 20 && sy < height - 20) return;
  moveView(m, panned(m.view, width / 2 - sx, height / 2 - sy));
}

function toggleCurrent(m) {
  if (m.current >= 0) toggleObject(m, m.current);
  else m.announce("No current object; press N for the first one.");
}
