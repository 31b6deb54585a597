// The frame: paints what has changed, once, when the browser is ready; nothing runs in between.

import { fittedView, heldBy, resized, screenX, screenY, toScreen } from "./view.js";
import { pathLength, resampled } from "./geometry.js";
import { placeLabels } from "./labels.js";
import { currentMarks, gridMarks, labelMarks, lineMarks } from "./marks.js";
import { scaleBox, scaleMarks } from "./scale_bar.js";
import { endMarks, endsOf } from "./ends.js";
import { densityLines, densityMarks } from "./density.js";
import { directionBoxes, directionMarks } from "./directions.js";
import { newcomerBoxes, newcomerMarks } from "./newcomers.js";
import { drawingMarks, lineOf } from "./toolbox.js";
import { paintMarks } from "./canvas.js";
import { paintObjects } from "./objects.js";
import { showMarks } from "./svg.js";
import { REFIT, finishMotion, motionWanted, startMotion, stepMotion } from "./motion.js";

// Labels are placed anew when the view has been at rest for so many milliseconds…
const REST = 120;
// …or, of few objects, at once while zooming.
const QUICKLY_LABELLED = 300;
// Radii for up to so many objects.
const RADII = [
  [60, 6],
  [250, 5],
  [1000, 4],
  [2500, 3],
  [Infinity, 2.5],
];
const LARGEST_GROWTH = 1.8;
const LABEL_PADDING = 4;
const CLOSE = 4;
const MOST_BOXES = 250;

export function redraw(m, what = "all") {
  if (what !== "overlay") m.canvasStale = true;
  m.overlayStale = true;
  m.root.dataset.settled = "false";
  m.frame ||= requestAnimationFrame((now) => paintFrame(m, now));
}

// The visitor moved the view; the map cannot be lost.
export function moveView(m, view, { zooming = false } = {}) {
  finishMotion(m);
  m.view = heldBy(m.bounds, view);
  m.fitted = false;
  if (zooming && m.x.length <= QUICKLY_LABELLED) relabel(m);
  else relabelAtRest(m);
  redraw(m);
}

export function fitView(m) {
  const { width, height } = m.view;
  const view = fittedView(m.bounds, width, height, m.margin);
  m.fitScale = view.scale;
  glideTo(m, view);
  m.fitted = true;
}

// An object in the middle of the stage, so near that it can be told from a crowd.
export function centreOn(m, object) {
  const least = m.x.length > QUICKLY_LABELLED ? CLOSE : 1;
  const scale = Math.max(m.view.scale, least * m.fitScale);
  glideTo(m, { ...m.view, cx: m.index.x[object], cy: m.index.y[object], scale });
  m.fitted = false;
}

function glideTo(m, view) {
  finishMotion(m);
  if (motionWanted()) {
    const from = { view: m.view, x: m.x, y: m.y, labels: m.labels };
    startMotion(m, from, { ...from, view, labels: m.labelsFor(m, view) }, REFIT);
  } else {
    m.view = view;
    relabel(m);
  }
  redraw(m);
}

// The stage has another size than before.
export function resizeStage(m, width, height) {
  if (!width || !height) return;
  finishMotion(m);
  const fit = fittedView(m.bounds, width, height, m.margin);
  m.view = m.fitted || !m.view.width ? fit : resized(m.view, width, height);
  m.fitScale = fit.scale;
  relabel(m);
  redraw(m);
}

export function relabel(m) {
  clearTimeout(m.restTimer);
  m.restTimer = 0;
  m.labels = m.labelsFor(m, m.view);
}

export function labelsFor(m, view) {
  if (!view.width) return [];
  const measure = textMeasure(m);
  const preferred = new Set(m.selected.slice(0, 200));
  for (const i of [m.current, m.pointed]) if (i >= 0) preferred.add(i);
  for (const [i] of endsOf(m.scene, m.current).flat()) preferred.add(i);
  return placeLabels({
    places: { view, x: m.x, y: m.y, index: m.index, radius: radiusFor(m, view) },
    text: {
      labels: m.scene.labels,
      measure: (words) => measure(words) + LABEL_PADDING,
      height: Math.round(m.theme.fontSize * 1.35),
      mostWidth: Math.min(220, view.width * 0.42),
    },
    preferred,
    blocked: [...boxesAside(m, view), ...boxesAlong(m.drawing, view)],
    before: m.labels,
  });
}

function boxesAside(m, view) {
  return [
    ...(m.scene.unit ? [scaleBox({ ...scaleOf(m), view })] : []),
    ...directionBoxes({ ...directionsOf(m), view }),
    ...newcomerBoxes({ ...newcomersOf(m), view }),
    ...(m.legendBox ? [m.legendBox] : []),
  ];
}

function scaleOf(m) {
  return { unit: m.scene.unit, measure: textMeasure(m), legendBox: m.legendBox };
}

function newcomersOf(m) {
  return { newcomers: m.scene.newcomers, theme: m.theme, measure: textMeasure(m) };
}

function directionsOf(m) {
  const directions = m.directionsShown ? m.scene.directions : [];
  return { bounds: m.bounds, directions, measure: textMeasure(m), x: m.x, y: m.y };
}

// A label does not lie under the line that was drawn.
function boxesAlong(drawing, view) {
  if (!drawing) return [];
  const line = lineOf(drawing).map((point) => toScreen(view, point));
  // Far zoomed in, most of the line is off the stage.
  const spacing = Math.max(8, pathLength(line) / MOST_BOXES);
  return resampled(line, spacing).map(([x, y]) => ({
    left: x - 4,
    right: x + 4,
    top: y - 4,
    bottom: y + 4,
  }));
}

// Widths of texts; measuring is slow, so each is measured once.
export function textMeasure(m) {
  const font = `400 ${m.theme.fontSize}px ${m.theme.font}`;
  if (m.widths?.font !== font || m.widths.of.size > 30000) m.widths = { font, of: new Map() };
  const { of } = m.widths;
  return (words) => {
    let width = of.get(words);
    if (width === undefined) {
      m.context.font = font;
      width = m.context.measureText(words).width;
      of.set(words, width);
    }
    return width;
  };
}

export function radiusFor(m, view) {
  const [, base] = RADII.find(([most]) => m.x.length <= most);
  const growth = Math.max(1, Math.min(LARGEST_GROWTH, (view.scale / m.fitScale) ** 0.25));
  // In half pixels, so that zooming does not make new sprites in every frame.
  return Math.round(base * growth * m.colouring.grown * 2) / 2;
}

// All that marks are made of.
export function picture(m) {
  const current = m.keyboardHere || m.looking ? m.current : -1;
  const joined = current < 0 && m.joinsPointed ? m.pointed : current;
  return {
    ...scaleOf(m),
    view: m.view,
    ...directionsOf(m),
    ...newcomersOf(m),
    x: m.x,
    y: m.y,
    lines: m.scene.lines,
    theme: m.theme,
    colouring: m.colouring,
    radius: radiusFor(m, m.view),
    selected: m.selected,
    current,
    pointed: m.pointed,
    joined,
    ends: endsOf(m.scene, joined),
    labels: m.labels,
    drawing: m.drawing,
    draft: m.draft,
    tool: m.tool,
  };
}

function relabelAtRest(m) {
  clearTimeout(m.restTimer);
  m.restTimer = setTimeout(() => {
    relabel(m);
    redraw(m);
  }, REST);
}

function paintFrame(m, now) {
  m.frame = 0;
  if (m.closed || !m.view.width) return;
  const moving = stepMotion(m, now);
  // A crowd that is too large for one frame goes on in the next.
  const more = (moving || m.canvasStale) && m.paint(m);
  if (moving || m.overlayStale) paintOverlay(m);
  m.canvasStale = m.overlayStale = false;
  m.card.follow();
  m.frames += 1;
  m.root.dataset.frame = m.frames;
  if (moving || more) redraw(m);
  else if (!m.restTimer) settle(m);
}

// For those who wait for the picture to be complete.
function settle(m) {
  m.root.dataset.mapId = m.scene.map_id;
  m.root.dataset.settled = "true";
}

export function paintCanvas(m) {
  const ratio = window.devicePixelRatio || 1;
  fitCanvas(m.canvas, m.view, ratio);
  const shown = picture(m);
  const { context } = m;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = m.theme.background;
  context.fillRect(0, 0, m.view.width, m.view.height);
  paintMarks(context, [...densityMarks(m), ...gridOf(m)]);
  paintMarks(context, [...lineMarks(shown), ...endMarks(shown)]);
  paintObjects(m, shown.radius, ratio);
  paintMarks(context, densityLines(m));
  paintMarks(context, [...scaleMarks(shown), ...currentMarks(shown), ...labelMarks(shown)]);
  paintMarks(context, [...newcomerMarks(shown), ...directionMarks(shown)]);
}

// Lines at equal distances belong to maps whose distances mean something.
export function gridOf(m) {
  return m.scene.grid === false ? [] : gridMarks(m.view, m.theme);
}

export function fitCanvas(canvas, { width, height }, ratio) {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width === wide && canvas.height === high) return;
  canvas.width = wide;
  canvas.height = high;
}

function paintOverlay(m) {
  m.overlay.setAttribute("viewBox", `0 0 ${m.view.width} ${m.view.height}`);
  showMarks(m.overlay, drawingMarks(picture(m)));
}

export function placeOnScreen(m, i) {
  return [screenX(m.view, m.x[i]), screenY(m.view, m.y[i])];
}
