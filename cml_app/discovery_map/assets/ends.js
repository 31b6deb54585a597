// The objects nearest and farthest by the data from the one that is looked at, or pointed at.

import { screenX, screenY } from "./view.js";
import { path } from "./marks.js";
import { shownNumber } from "./palette.js";

const NAMES = ["Nearest by the data", "Farthest by the data"];

// [[nearest, dissimilarity], …] and the same of the farthest.
export function endsOf(scene, object) {
  return scene.ends[object] ?? [];
}

// What the card tells of them, as [name, value] pairs.
export function endRows(scene, object) {
  const told = ([i, value]) => `${scene.labels[i]} ${shownNumber(value)}`;
  return endsOf(scene, object)
    .map((side, k) => [NAMES[k], side.map(told).join(", ")])
    .filter(([, value]) => value);
}

// Whole lines to the nearest, broken ones to the farthest.
export function endMarks({ view, x, y, ends, joined, theme }) {
  if (joined < 0) return [];
  const at = (i) => [screenX(view, x[i]), screenY(view, y[i])];
  const [near = [], far = []] = ends.map((side) => side.map(([i]) => [at(joined), at(i)]));
  return [
    path(far, { stroke: theme.text, opacity: 0.5, width: 1.25, dash: [2, 4] }),
    path(near, { stroke: theme.primary, width: 2 }),
  ];
}
