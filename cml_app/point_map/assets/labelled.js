// The labels of a few objects, placed as on the smaller map: those that the scene names, and some
// of those in view.

import { placeLabels } from "../../discovery_map/assets/labels.js";
import { makeIndex } from "../../discovery_map/assets/spatial.js";
import { boundsOf } from "../../discovery_map/assets/view.js";
import { textMeasure } from "../../discovery_map/assets/render.js";
import { slotsApart } from "./apart.js";
import { radiusOf } from "./frames.js";
import { nameOf } from "./names.js";
import { boxesOfNewcomers } from "./newcomers.js";

const AROUND_TEXT = 4;
const WIDEST = 180;

export function labelsOfFew(m, view) {
  if (!view.width) return [];
  const landmarks = m.landmarks.filter(({ slot }) => !Number.isNaN(m.x[slot]));
  const known = [...landmarks, ...withNames(m, view, landmarks)];
  if (!known.length) return [];
  const [x, y] = ["x", "y"].map((axis) => Float64Array.from(known, ({ slot }) => m[axis][slot]));
  const measure = textMeasure(m);
  const places = { view, x, y, index: makeIndex(x, y, boundsOf(x, y)), radius: radiusOf(m, view) };
  const own = new Map(known.map(({ slot }, k) => [slot, k]));
  const placed = placeLabels({
    places,
    text: {
      labels: known.map(({ text }) => text),
      measure: (words) => measure(words) + AROUND_TEXT,
      height: Math.round(m.theme.fontSize * 1.35),
      mostWidth: Math.min(WIDEST, view.width * 0.42),
    },
    preferred: new Set(),
    blocked: [...boxesOfNewcomers(m, view), ...(m.legendBox ? [m.legendBox] : [])],
    before: m.labels
      .filter(({ anchor }) => own.has(anchor))
      .map((label) => ({ ...label, anchor: own.get(label.anchor) })),
  });
  return placed.map((label) => ({
    ...label,
    anchor: known[label.anchor].slot,
    members: label.members.map((k) => known[k].slot),
  }));
}

function withNames(m, view, landmarks) {
  if (!m.names.address || !m.namesShown) return [];
  const taken = landmarks.map(({ slot }) => slot);
  return slotsApart(m, view, taken)
    .map((slot) => ({ slot, text: nameOf(m, slot) }))
    .filter(({ text }) => text);
}
