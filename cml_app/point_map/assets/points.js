// The map of very many objects on the page. One object `m` holds everything about it, and serves
// the modules of the smaller map, which call a slot an object.

import { toScreen } from "../../discovery_map/assets/view.js";
import { readTheme, sameTheme } from "../../discovery_map/assets/theme.js";
import { shownNumber } from "../../discovery_map/assets/palette.js";
import { finishMotion } from "../../discovery_map/assets/motion.js";
import { fitView, redraw, relabel, resizeStage } from "../../discovery_map/assets/render.js";
import { dropDraft, tell } from "../../discovery_map/assets/state.js";
import { labelBox } from "../../discovery_map/assets/labels.js";
import { listenToPointers } from "../../discovery_map/assets/pointer.js";
import { listenToKeys } from "../../discovery_map/assets/keyboard.js";
import { listenToFullScreen } from "../../discovery_map/assets/full_screen.js";
import { announcer } from "../../discovery_map/assets/announcer.js";
import { makeCard } from "../../discovery_map/assets/card.js";
import { makeLegend } from "../../discovery_map/assets/legend.js";
import { makeToolbar } from "../../discovery_map/assets/toolbar.js";
import { toolInHand } from "../../discovery_map/assets/toolbox.js";
import { sameBox, stopArrivals, takeColour, takePlaces } from "./arriving.js";
import { makeCloud } from "./cloud.js";
import { MISSING, paletteOf } from "./colours.js";
import { emptyIndex } from "./crowd_index.js";
import { makePace, paintCrowd, radiusOf } from "./frames.js";
import { labelsOfFew } from "./labelled.js";
import { nameOf, namesAt, showNamesButton, takeNames, toggleNames } from "./names.js";
import { boxWith, newcomersSeen, noNewcomers, takeNewcomers } from "./newcomers.js";
import { closePainter, isSoftware, makePainter, uploadCodes, uploadPalette } from "./painter.js";
import { pinKeys } from "./pins.js";
import { MOST_OF_FEW, paintFew } from "./few.js";
import { savePicture } from "./saving.js";

const NOTHING = {
  labels: [],
  lines: [],
  tools: ["move", "lasso", "arrow", "curve"],
  ends: [],
  directions: [],
  newcomers: [],
  unit: "",
  cards: { names: [], rows: [] },
  map_id: null,
  count: 0,
  title: "",
  noun: "Object",
  names: null,
};

export function openPoints(root) {
  const stage = root.querySelector(".stage");
  const marks = root.querySelector(".marks");
  const cloud = makeCloud(0, 1);
  const m = {
    root,
    stage,
    crowd: root.querySelector(".crowd"),
    marks,
    context: marks.getContext("2d"),
    overlay: root.querySelector(".overlay"),
    scene: NOTHING,
    cloud,
    x: cloud.x,
    y: cloud.y,
    bounds: { left: -1, right: 1, bottom: -1, top: 1 },
    index: emptyIndex(cloud.x, cloud.y),
    crowding: { typical: 1, crowded: 1, among: 0 },
    landmarks: [],
    names: namesAt(null),
    namesShown: true,
    newcomers: noNewcomers(),
    colour: null,
    values: null,
    codes: null,
    coloured: 0,
    uploaded: -1,
    view: { cx: 0, cy: 0, scale: 1, width: 0, height: 0 },
    fitted: true,
    fitScale: 1,
    labels: [],
    selected: [],
    drawing: null,
    draft: null,
    gesture: null,
    motion: null,
    glide: null,
    current: -1,
    looking: false,
    pointed: -1,
    told: null,
    directionsShown: false,
    keyboardHere: false,
    frames: 0,
    frame: 0,
    restTimer: 0,
    paint: paintCrowd,
    paintFew,
    labelsFor: labelsOfFew,
    margin: { across: [28, 0.06], up: [24, 0.06] },
    cardOf: crowdCard,
    // So far that a step between places as they were sent is a pixel.
    get furthestIn() {
      const { step } = this.cloud;
      return step ? Math.max(1, 1 / (step * this.fitScale)) : undefined;
    },
  };
  const listening = new AbortController();
  const { signal } = listening;
  m.theme = readTheme(root);
  m.palette = paletteOf(null, m.theme);
  m.colouring = { legend: null, grown: 1, styles: [], styleOf: [] };
  m.byKeyboard = (here) => setKeyboardHere(m, here);
  m.looked = (slot, stays) => stays && tellPointed(m, slot);
  m.around = (box) => boxWith(m, box);
  m.glided = () => {
    relegend(m);
    holdNewcomers(m);
  };
  m.words = () => wordsOf(m);
  m.actions = { png: savePicture, names: toggleNames };
  m.keys = { ...pinKeys(m), l: (m) => m.names.address && toggleNames(m) };
  m.announce = announcer(root.querySelector("[aria-live]"));
  m.card = makeCard(m, root.querySelector(".card"));
  m.legend = makeLegend(m, root.querySelector(".legend"));
  m.toolbar = makeToolbar(m, signal);
  startPainter(m);
  listenToPointers(m, signal);
  listenToKeys(m, signal);
  listenToFullScreen(m, signal);
  listenToLosses(m, signal);
  root.querySelector(".legend").addEventListener("toggle", () => relegend(m), { signal });
  const sizes = new ResizeObserver(() => measureStage(m));
  sizes.observe(stage);
  m.stop = () => {
    listening.abort();
    sizes.disconnect();
    stopArrivals(m);
    if (m.painter) closePainter(m.painter);
  };
  root.pointsDebug = () => debugView(m);
  return m;
}

export function closePoints(m) {
  m.closed = true;
  m.stop();
  cancelAnimationFrame(m.frame);
  clearTimeout(m.restTimer);
  delete m.root.pointsDebug;
}

export function showPoints(m, data) {
  const before = m.scene;
  const moved = data.map_id !== before.map_id || data.count !== before.count;
  const taken = data.revision !== before.revision;
  m.scene = { ...NOTHING, ...data };
  m.root.setAttribute("aria-label", data.title || "Map");
  if (moved || taken) takeOver(m, data, taken);
  const theme = readTheme(m.root);
  if (!sameTheme(theme, m.theme)) {
    m.theme = theme;
    showColour(m);
  }
  takeNames(m, m.scene.names);
  showNamesButton(m);
  takePlaces(m, data, placesChanged);
  takeColour(m, data, showColour);
  takeNewcomers(m, data, newcomersChanged);
  m.landmarks = data.landmarks.map(([i, text]) => ({ slot: m.cloud.slotOf(i), text }));
  if (!m.motion) relabel(m);
  showComing(m);
  m.toolbar.refresh();
  redraw(m);
}

// What the visitor had on the map gives way to what the scene says.
function takeOver(m, data, toolToo) {
  dropDraft(m);
  const region = data.region && { kind: "lasso", points: data.region };
  m.drawing = data.drawing ?? region ?? null;
  if (toolToo) m.tool = data.tool;
  m.current = -1;
  m.looking = false;
  m.card.hide();
}

// More places have come, or other ones: `m.cloud` is what there is now.
function placesChanged(m) {
  const { cloud } = m;
  m.landmarks = m.scene.landmarks.map(([i, text]) => ({ slot: cloud.slotOf(i), text }));
  tellCount(m);
  // A label is shown with its object, which may just have come.
  if (!m.motion) relabel(m);
  showComing(m);
  m.toolbar.refresh();
  redraw(m);
}

// There are other new objects: `m.newcomers` are they.
function newcomersChanged(m) {
  holdNewcomers(m);
  tellCount(m);
  if (!m.motion) relabel(m);
  showComing(m);
  m.toolbar.refresh();
  redraw(m);
}

// Whoever sees the whole map sees all of them; a glide comes to its end first.
function holdNewcomers(m) {
  const box = boxWith(m, m.cloud.box);
  if (!box || (m.motion && m.motion === m.glide) || sameBox(m.bounds, box)) return;
  m.bounds = box;
  if (m.fitted) fitView(m);
}

function tellCount(m) {
  m.stage.setAttribute("aria-label", `${m.scene.title || "Map"}: ${countWords(m)}`);
}

function showComing(m) {
  const { coming } = m;
  const line = m.root.querySelector(".coming");
  line.hidden = !coming;
  if (coming) line.style.setProperty("--share", coming.share);
  m.root.dataset.complete = String(!coming && !m.colouringComes && !m.newcomersCome);
}

// The colours that `m.colour`, `m.values` and `m.codes` tell now.
function showColour(m) {
  m.palette = paletteOf(m.colour, m.theme);
  m.colouring = { ...m.colouring, legend: m.palette.legend, grown: m.palette.grown };
  if (m.painter) {
    uploadCodes(m.painter, m.codes);
    uploadPalette(m.painter, [...m.palette.colours, m.palette.missing]);
  }
  m.coloured += 1;
  m.legend.refresh();
  // While objects glide, the legend stays in its corner.
  if (m.motion) redraw(m);
  else relegend(m);
  showComing(m);
}

function startPainter(m) {
  m.painter = makePainter(m.crowd);
  m.pace = makePace(Boolean(m.painter) && isSoftware(m.painter));
  m.uploaded = -1;
  showColour(m);
}

// A graphics card may be taken away for a while; everything it had is still here.
function listenToLosses(m, signal) {
  m.crowd.addEventListener("webglcontextlost", (event) => event.preventDefault(), { signal });
  m.crowd.addEventListener(
    "webglcontextrestored",
    () => {
      startPainter(m);
      redraw(m);
      m.root.dataset.losses = Number(m.root.dataset.losses ?? 0) + 1;
    },
    { signal },
  );
}

function relegend(m) {
  if (!m.view.width) return;
  finishMotion(m);
  m.legend.settle(m.view, radiusOf(m, m.view));
  relabel(m);
  redraw(m);
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

// Python hears of an object once, however often it is clicked.
function tellPointed(m, slot) {
  if (slot === m.told) return;
  const news = slot >= 0 || m.told >= 0;
  m.told = slot;
  if (news) tell(m);
}

function crowdCard(m, slot) {
  const object = m.cloud.objectAt(slot);
  const landmark = m.scene.landmarks.find(([i]) => i === object);
  const number = `${m.scene.noun} ${(object + 1).toLocaleString("en")}`;
  const label = landmark?.[1] ?? (nameOf(m, slot) || number);
  return { label, rows: m.values ? [[m.colour.name, shownValue(m, slot)]] : [] };
}

function shownValue({ colour, values }, slot) {
  const value = values[slot];
  if (colour.values === "uint16") return value === MISSING ? "missing" : colour.levels[value];
  if (Number.isNaN(value)) return "missing";
  if (colour.levels.length) return colour.levels[value];
  return shownNumber(value, colour.ends.length ? colour.ends[1] - colour.ends[0] : undefined);
}

function wordsOf(m) {
  const few =
    !m.painter && m.cloud.placed > MOST_OF_FEW
      ? ` Without WebGL2 ${MOST_OF_FEW.toLocaleString("en")} of them are painted.`
      : "";
  return m.coming?.trouble ?? `${countWords(m)}.${few} ${toolInHand(m).hint(m)}`;
}

function countWords({ scene, cloud, coming, newcomers }) {
  const [count, placed, more] = [scene.count, cloud.placed, newcomers.total].map((n) =>
    n.toLocaleString("en"),
  );
  if (coming) return `${count} objects, on their way`;
  if (newcomers.total) return `${count} objects, and ${more} new`;
  if (cloud.placed === scene.count) return `${count} objects`;
  return `${placed} of ${count} objects have a place`;
}

// For tests and benchmarks.
function debugView(m) {
  const stage = m.stage.getBoundingClientRect();
  return {
    stage: { left: stage.left, top: stage.top, width: stage.width, height: stage.height },
    view: { ...m.view },
    radius: radiusOf(m, m.view),
    placed: m.cloud.placed,
    bytes: m.bytes ?? 0,
    painted: m.pace.done,
    budget: m.pace.budget,
    tool: m.tool,
    drawing: m.drawing,
    labels: m.labels.map((label) => ({
      text: label.text,
      at: toScreen(m.view, [m.x[label.anchor], m.y[label.anchor]]),
      box: labelBox(label, m.view, m.x, m.y),
    })),
    painter: m.painter ? "webgl2" : "canvas",
    theme: m.theme,
    index: m.index.members.length,
    newcomers: newcomersSeen(m),
    gliding: Boolean(m.motion),
  };
}
