// One frame of the map: how many objects are added up in it, and how they look.

import { gridStep, screenX, screenY } from "../../discovery_map/assets/view.js";
import { labelMarks, currentMarks } from "../../discovery_map/assets/marks.js";
import { crossMarks } from "./pins.js";
import { paintMarks } from "../../discovery_map/assets/canvas.js";
import { fitCanvas, picture } from "../../discovery_map/assets/render.js";
import { rgbOf } from "../../discovery_map/assets/theme.js";
import { ALIKE } from "./colours.js";
import { addUp, beginSums, showSums, uploadPlaces } from "./painter.js";

// In milliseconds between frames: below the first more are painted in the next, above the second
// fewer.
const QUICK = 24;
const SLOW = 42;
const LEAST_IN_A_FRAME = 20000;
const RADIUS = { least: 0.5, most: 4.5, spacing: 0.55 };

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
  keepPace(pace, now);
  if (m.uploaded !== cloud.version) {
    uploadPlaces(painter, cloud);
    m.uploaded = cloud.version;
  }
  const look = lookOf(m, ratio);
  const key = JSON.stringify([view, look.share, ratio, m.uploaded, m.coloured]);
  if (key !== pace.key || painter.sums?.wide !== wide || painter.sums.high !== high) {
    beginSums(painter, wide, high);
    Object.assign(pace, { key, done: 0 });
  }
  const to = Math.min(cloud.count, pace.done + pace.budget);
  addUp(painter, look, pace.done, to);
  pace.painted = to - pace.done;
  pace.done = to;
  showSums(painter, { ...look, scale: cloud.count / Math.max(1, to) });
  pace.last = to < cloud.count || m.motion || m.restTimer ? now : 0;
  return to < cloud.count;
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
  return { key: null, done: 0, budget: software ? 60000 : 2000000, painted: 0, last: 0 };
}

// The time between two frames tells how many objects there is time for.
function keepPace(pace, now) {
  if (!pace.last || pace.painted < 0.9 * pace.budget) return;
  const gap = now - pace.last;
  if (gap < QUICK) pace.budget = Math.min(4e6, pace.budget * 1.35);
  else if (gap > SLOW)
    pace.budget = Math.max(LEAST_IN_A_FRAME, pace.budget * Math.max(0.4, SLOW / gap));
  pace.budget = Math.round(pace.budget);
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
    share: m.glide && m.motion === m.glide ? (m.arrival ?? 0) : 1,
    rim: Math.max(0, Math.min(1, (radius - 1.6) / 1.2)),
    crowd,
    single: 0.3 + 0.62 * loose,
    deepest: palette.mode === ALIKE ? 0.55 : 0,
    background: unit(theme.background),
    ink: unit(theme.text),
    // What is dark on light paper is light on dark.
    rimLight: theme.dark ? [0.62, 0.3, 0] : [0.42, 0, 0],
    grid: [screenX(view, 0) * ratio, (view.height - screenY(view, 0)) * ratio, step, step],
    gridShare: theme.dark ? 0.018 : 0.11,
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
  paintMarks(context, marksAbove(m));
}

export function marksAbove(m) {
  const shown = { ...picture(m), radius: radiusOf(m, m.view) };
  return [...currentMarks(shown), ...labelMarks(shown), ...crossMarks(m)];
}
