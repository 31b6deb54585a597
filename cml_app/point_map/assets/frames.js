// One frame of the map: how many objects are added up in it, and how they look.

import { gridStep, screenX, screenY } from "../../discovery_map/assets/view.js";
import { labelMarks, currentMarks } from "../../discovery_map/assets/marks.js";
import { crossMarks } from "./pins.js";
import { paintMarks } from "../../discovery_map/assets/canvas.js";
import { fitCanvas, picture } from "../../discovery_map/assets/render.js";
import { rgbOf } from "../../discovery_map/assets/theme.js";
import { ALIKE } from "./colours.js";
import { addUp, beginSums, forgetPlaces, showSums, uploadPlaces } from "./painter.js";
import { namesOfNewcomers, paintNewcomers } from "./newcomers.js";
import { plateMarks } from "./plates.js";

// In milliseconds between frames: so long one waits for the next while the map moves, and while it
// stands still and is only being completed.
const WAITED = { moving: 33, still: 200 };
const AT_FIRST = {
  hardware: { moving: 2e6, still: 2e6 },
  software: { moving: 50000, still: 150000 },
};
const IN_A_FRAME = { least: { moving: 20000, still: 80000 }, most: 4e6 };
// While objects arrive, painting leaves time for placing them, on the same computer perhaps.
const ENOUGH_WHILE_ARRIVING = 200000;
const RADIUS = { least: 0.6, most: 4, spacing: 0.5 };

// Tells whether another frame is needed to paint all objects.
export function paintCrowd(m) {
  const ratio = window.devicePixelRatio || 1;
  const more = m.painter ? paintSums(m, ratio) : m.paintFew(m, ratio);
  paintAbove(m, ratio);
  return more;
}

function paintSums(m, ratio) {
  const { painter, pace, view, cloud } = m;
  if (painter.gl.isContextLost()) return false;
  fitCanvas(m.crowd, view, ratio);
  const [wide, high] = [m.crowd.width, m.crowd.height];
  const now = performance.now();
  if (m.uploaded !== cloud.version) {
    uploadPlaces(painter, cloud);
    m.uploaded = cloud.version;
  }
  if (painter.gliding && m.motion !== m.glide) {
    forgetPlaces(painter);
    m.glided();
  }
  const look = lookOf(m, ratio);
  const key = JSON.stringify([view, look.share, ratio, m.uploaded, m.coloured]);
  if (key !== pace.key || painter.sums?.wide !== wide || painter.sums.high !== high) {
    beginSums(painter, wide, high);
    Object.assign(pace, { key, done: 0 });
  }
  const doing = m.motion || m.restTimer ? "moving" : "still";
  keepPace(pace, now);
  const all = slotsToPaint(m);
  const to = Math.min(all, pace.done + pace.budget[doing]);
  addUp(painter, look, pace.done, to);
  pace.full = to - pace.done >= pace.budget[doing];
  pace.done = to;
  showSums(painter, { ...look, scale: cloud.count / Math.max(1, to) });
  // Only frames that follow one another tell how long one takes.
  Object.assign(pace, { last: now, doing: to < all || m.motion ? doing : null });
  return to < all;
}

// Of very many that still arrive a fair sample is enough.
function slotsToPaint({ scene, cloud: { count, placed } }) {
  if (!scene.arriving) return count;
  return Math.min(count, Math.ceil((count * ENOUGH_WHILE_ARRIVING) / Math.max(1, placed)));
}

// All objects at once, however long it takes.
export function paintAll(m, ratio, wide, high) {
  const look = lookOf(m, ratio);
  beginSums(m.painter, wide, high);
  addUp(m.painter, look, 0, m.cloud.count);
  showSums(m.painter, { ...look, scale: 1 });
  m.pace.key = null;
}

export function makePace(software) {
  const budget = { ...AT_FIRST[software ? "software" : "hardware"] };
  return { key: null, done: 0, budget, full: false, last: 0, doing: null };
}

// The time between two frames tells how many objects there is time for.
function keepPace({ doing, full, last, budget }, now) {
  if (!doing || !full) return;
  const change = Math.max(0.5, Math.min(2, WAITED[doing] / (now - last)));
  const { least, most } = IN_A_FRAME;
  budget[doing] = Math.round(Math.max(least[doing], Math.min(most, budget[doing] * change)));
}

export function radiusOf(m, view) {
  const spacing = view.scale / Math.sqrt(m.crowding.typical || 1);
  return Math.max(RADIUS.least, Math.min(RADIUS.most, RADIUS.spacing * spacing));
}

function lookOf(m, ratio) {
  const { view, theme, crowding, palette } = m;
  const radius = radiusOf(m, view);
  // How many objects meet in a pixel where they are closest.
  const crowd = 1 + (crowding.crowded / view.scale ** 2) * Math.PI * (radius + 0.25) ** 2;
  const loose = Math.max(0, Math.min(1, 1 - Math.log(crowd) / Math.log(40)));
  const step = gridStep(view.scale) * view.scale * ratio;
  return {
    view,
    ratio,
    radius,
    mode: palette.mode,
    share: m.glide && m.motion === m.glide ? m.arrival : 1,
    rim: Math.max(0, Math.min(1, (radius - 1.6) / 1.2)),
    crowd,
    single: 0.38 + 0.56 * loose,
    // Little, so that colours stay those of the legend.
    deepest: palette.mode === ALIKE ? 0.6 : theme.dark ? 0.08 : 0.2,
    background: unit(theme.background),
    ink: unit(theme.text),
    // What is dark on light paper is light on dark.
    rimLight: theme.dark ? [0.62, 0.3, 0] : [0.42, 0, 0],
    grid: [screenX(view, 0) * ratio, (view.height - screenY(view, 0)) * ratio, step, step],
    gridShare: theme.dark ? 0.1 : 0.07,
  };
}

function unit(colour) {
  return rgbOf(colour).map((v) => v / 255);
}

function paintAbove(m, ratio) {
  const { context, view } = m;
  fitCanvas(m.marks, view, ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  paintNewcomers(m, context, ratio);
  paintMarks(context, marksAbove(m));
}

export function marksAbove(m) {
  const shown = { ...picture(m), radius: radiusOf(m, m.view) };
  return [
    ...plateMarks(shown),
    ...currentMarks(shown),
    ...labelMarks(shown),
    ...namesOfNewcomers(m),
    ...crossMarks(m),
  ];
}
