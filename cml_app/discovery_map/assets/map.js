// A map on the page. One object `m` holds everything about it; what stands around its stage is
// told by whoever opens it.

import { boundsOf, fittedView, toScreen } from "./view.js";
import { makeIndex } from "./spatial.js";
import { readTheme, sameTheme } from "./theme.js";
import { colouringFor } from "./palette.js";
import { GLIDE, finishMotion, motionWanted, startMotion } from "./motion.js";
import {
  labelsFor,
  paintCanvas,
  picture,
  radiusFor,
  redraw,
  relabel,
  resizeStage,
} from "./render.js";
import { scaleBox } from "./scale_bar.js";
import { directionBoxes } from "./directions.js";
import { labelBox, onStage } from "./labels.js";
import { dropDraft } from "./state.js";
import { listenToPointers } from "./pointer.js";
import { listenToKeys } from "./keyboard.js";
import { join } from "./linking.js";
import { cardOf } from "./card.js";

const NOTHING = {
  labels: [],
  lines: [],
  tools: [],
  ends: [],
  directions: [],
  newcomers: [],
  unit: "",
  cards: { names: [], rows: [] },
  map_id: null,
};

// furnish(m, signal) gives m its announce, card, legend and toolbar.
export function openMap(root, furnish) {
  const stage = root.querySelector(".stage");
  const canvas = root.querySelector("canvas");
  const m = {
    root,
    stage,
    canvas,
    context: canvas.getContext("2d", { alpha: false }),
    overlay: root.querySelector(".overlay"),
    scene: NOTHING,
    view: { cx: 0, cy: 0, scale: 1, width: 0, height: 0 },
    fitted: true,
    fitScale: 1,
    labels: [],
    selected: [],
    drawing: null,
    draft: null,
    gesture: null,
    motion: null,
    current: -1,
    looking: false,
    pointed: -1,
    directionsShown: false,
    keyboardHere: false,
    frames: 0,
    frame: 0,
    restTimer: 0,
    paint: paintCanvas,
    labelsFor,
    cardOf,
  };
  const listening = new AbortController();
  m.theme = readTheme(root);
  m.byKeyboard = (here) => setKeyboardHere(m, here);
  furnish(m, listening.signal);
  join(m, listening.signal);
  place(m, [], []);
  m.colouring = colouringFor(null, m.theme, 0);
  listenToPointers(m, listening.signal);
  listenToKeys(m, listening.signal);
  const sizes = new ResizeObserver(() => measureStage(m));
  sizes.observe(stage);
  // Texts measured before the page's font arrived have the wrong widths.
  document.fonts.addEventListener(
    "loadingdone",
    () => {
      m.widths = null;
      relegend(m);
    },
    { signal: listening.signal },
  );
  m.stop = () => {
    listening.abort();
    sizes.disconnect();
  };
  root.mapDebug = () => debugView(m);
  return m;
}

export function closeMap(m) {
  m.closed = true;
  m.stop();
  cancelAnimationFrame(m.frame);
  clearTimeout(m.restTimer);
  delete m.root.mapDebug;
}

export function showScene(m, data) {
  const before = { scene: m.scene, view: m.view, x: m.x, y: m.y, labels: m.labels };
  const moved =
    data.map_id !== before.scene.map_id || data.labels.length !== before.scene.labels.length;
  const taken = data.revision !== before.scene.revision;
  const met = JSON.stringify(data.newcomers) !== JSON.stringify(before.scene.newcomers);
  const elsewhere =
    moved || met || !sameNumbers(data.x, m.index.x) || !sameNumbers(data.y, m.index.y);
  m.scene = data;
  m.root.setAttribute("aria-label", data.title || "Map");
  m.stage.setAttribute("aria-label", `${data.title || "Map"}: ${data.labels.length} objects`);
  if (moved || taken) takeOver(m, data, taken);
  const recoloured = paintColours(m);
  if (elsewhere) rearrange(m, before);
  else if (recoloured) relegend(m);
  m.toolbar.refresh();
  redraw(m);
}

// What the visitor had on the map gives way to what the scene says.
function takeOver(m, data, toolToo) {
  dropDraft(m);
  m.selected = data.selected;
  m.drawing = data.drawing;
  if (toolToo) m.tool = data.tool;
  m.pointed = -1;
}

// Tells whether other colours, or another legend, are to be seen.
function paintColours(m) {
  const theme = readTheme(m.root);
  const shown = JSON.stringify([m.scene.colour, m.scene.labels.length]);
  const newTheme = !sameTheme(theme, m.theme);
  if (shown === m.coloursShown && !newTheme) return false;
  m.coloursShown = shown;
  m.theme = theme;
  m.colouring = colouringFor(m.scene.colour, theme, m.scene.labels.length);
  m.colouring.ready?.then(() => showPictures(m));
  m.legend.refresh();
  return true;
}

// Pictures have been read: the dots that stood for them give way.
function showPictures(m) {
  m.sprites = null;
  redraw(m);
}

export function relegend(m) {
  finishMotion(m);
  m.legend.settle(m.view, radiusFor(m, m.view));
  relabel(m);
  redraw(m);
}

// New places: the objects glide there from the old ones, and the view shows them all.
function rearrange(m, before) {
  const known = before.scene.map_id !== null;
  m.card.hide();
  place(m, m.scene.x, m.scene.y);
  // Whoever looks at an object sees where it goes.
  m.current = m.scene.labels.indexOf(before.scene.labels[m.current]);
  m.looking &&= m.current >= 0;
  m.sprites = null;
  m.motion = null;
  const { width, height } = m.view;
  const view = fittedView(m.bounds, width, height);
  m.fitted = true;
  m.fitScale = view.scale;
  m.legend.settle(view, radiusFor(m, view));
  const { from, arriving } = departures(m, before);
  m.labels = from.labels;
  const to = { view, x: m.x, y: m.y, labels: labelsFor(m, view) };
  if (known) m.announce(`The map has changed. ${m.scene.title}`);
  if (known && width && motionWanted()) {
    Object.assign(m, { x: from.x, y: from.y });
    startMotion(m, from, to, GLIDE, arriving);
  } else Object.assign(m, to);
}

// Where the objects of the new scene were in the one before, found by their labels.
function departures(m, before) {
  const old = new Map(before.scene.labels.map((label, i) => [label, i]));
  const was = m.scene.labels.map((label) => old.get(label) ?? -1);
  const now = new Map(was.map((i, k) => [i, k]));
  const staying = (objects) => objects.filter((i) => now.has(i)).map((i) => now.get(i));
  const labels = before.labels
    .filter((label) => now.has(label.anchor))
    .map((label) => {
      const [anchor] = staying([label.anchor]);
      return { ...label, anchor, members: staying(label.members) };
    });
  const from = {
    view: before.view,
    x: Float64Array.from(was, (i, k) => (i < 0 ? m.x[k] : before.x[i])),
    y: Float64Array.from(was, (i, k) => (i < 0 ? m.y[k] : before.y[i])),
    labels,
  };
  return { from, arriving: Uint8Array.from(was, (i) => i < 0) };
}

function place(m, x, y) {
  const all = (axis, own) => [...own, ...m.scene.newcomers.map((one) => one[axis])];
  m.bounds = boundsOf(all("x", x), all("y", y));
  m.index = makeIndex(Float64Array.from(x), Float64Array.from(y), m.bounds);
  Object.assign(m, { x: m.index.x, y: m.index.y });
}

function measureStage(m) {
  const { clientWidth: width, clientHeight: height } = m.stage;
  if (width === m.view.width && height === m.view.height) return;
  resizeStage(m, width, height);
  relegend(m);
}

function setKeyboardHere(m, here) {
  if (here === m.keyboardHere) return;
  m.keyboardHere = here;
  if (here && m.current >= 0) m.card.show(m.current);
  if (!here && !m.looking) m.card.hide();
  redraw(m);
}

function sameNumbers(a, b) {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

// For tests and benchmarks.
function debugView(m) {
  const stage = m.stage.getBoundingClientRect();
  const seen = m.labels.filter((label) => onStage(label.anchor, m.view, m.x, m.y));
  const boxes = seen.map((label) => ({
    text: label.text,
    objects: label.members,
    ...labelBox(label, m.view, m.x, m.y),
  }));
  return {
    mapId: m.scene.map_id,
    stage: { left: stage.left, top: stage.top, width: stage.width, height: stage.height },
    view: { ...m.view },
    labels: boxes,
    objects: Array.from(m.x, (x, i) => ({
      label: m.scene.labels[i],
      x: m.view.width / 2 + (x - m.view.cx) * m.view.scale,
      y: m.view.height / 2 - (m.y[i] - m.view.cy) * m.view.scale,
      style: m.colouring.styles[m.colouring.styleOf[i]],
    })),
    tool: m.tool,
    selected: m.selected,
    drawing: m.drawing,
    drafting: m.draft !== null,
    current: m.current,
    looking: m.looking,
    pointed: m.pointed,
    directions: directionBoxes(picture(m)),
    newcomers: m.scene.newcomers.map(({ label, x, y, far }) => {
      const [sx, sy] = toScreen(m.view, [x, y]);
      return { label, x: sx, y: sy, far };
    }),
    scaleBar: m.scene.unit ? scaleBox(picture(m)) : null,
    radius: picture(m).radius,
    legend: m.legendBox,
    theme: m.theme,
  };
}
