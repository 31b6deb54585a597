// What lines drawn on the map have in common: a head, and the feet of the objects on them.

import { distance } from "./geometry.js";
import { screenX, screenY } from "./view.js";
import { path } from "./marks.js";

export const HEAD = 15;
const MOST_WITH_FEET = 1500;
const MOST_WITH_FOOT_LINES = 400;

// footOf(sx, sy): the point of the line that belongs to a place, both on the screen.
export function feetOf(footOf, { view, x, y }) {
  if (x.length > MOST_WITH_FEET) return [];
  return Array.from(x, (_, i) => {
    const place = [screenX(view, x[i]), screenY(view, y[i])];
    return { place, foot: footOf(...place) };
  });
}

// Each object's place on the line, and faintly how it gets there.
export function footMarks(feet, theme) {
  const ticks = feet.map(({ place, foot }) => tickAt(foot, place));
  const marks = [path(ticks, { stroke: theme.ink, width: 1.5, opacity: 0.8 })];
  if (feet.length > MOST_WITH_FOOT_LINES) return marks;
  const ways = feet.map(({ place, foot }) => [place, foot]);
  return [path(ways, { stroke: theme.ink, width: 1, opacity: 0.28 }), ...marks];
}

export function headAt(from, tip) {
  const length = distance(from, tip) || 1;
  const [ux, uy] = [(tip[0] - from[0]) / length, (tip[1] - from[1]) / length];
  const [bx, by] = [tip[0] - HEAD * ux, tip[1] - HEAD * uy];
  const half = HEAD * 0.45;
  return [tip, [bx - half * uy, by + half * ux], [bx + half * uy, by - half * ux]];
}

// A short stroke across the line, which is where the way from the object points.
function tickAt(foot, place) {
  const gap = distance(foot, place);
  const [ux, uy] = gap > 0.5 ? [(place[0] - foot[0]) / gap, (place[1] - foot[1]) / gap] : [0, 1];
  return [
    [foot[0] - 5 * ux, foot[1] - 5 * uy],
    [foot[0] + 5 * ux, foot[1] + 5 * uy],
  ];
}
