// New objects on a map that stays as it is: hollow diamonds, broken where nothing here is like them.

import { BOLDER } from "./directions.js";
import { path, shapeOutline } from "./marks.js";
import { screenX, screenY } from "./view.js";

export const HALF_A_DIAMOND = 7;
const FROM_DIAMOND = 12;
// More names cannot be read.
const MOST_NEWCOMERS_NAMED = 40;

export function newcomerMarks(shown) {
  const { view, newcomers, theme } = shown;
  const outlines = newcomers.flatMap(({ x, y, far }) =>
    diamondMarks([screenX(view, x), screenY(view, y)], far, theme),
  );
  return [...outlines, ...newcomerNames(shown)];
}

export function diamondMarks([sx, sy], far, theme, half = HALF_A_DIAMOND) {
  const corners = shapeOutline("diamond", sx, sy, half);
  const share = half / HALF_A_DIAMOND;
  const look = { closed: true, stroke: theme.text, width: Math.max(1, 2 * share) };
  const paper = { closed: true, fill: theme.background, stroke: theme.background };
  return [
    path([corners], { ...paper, width: 5 * share }),
    path([corners], far ? { ...look, dash: [3 * share, 3 * share] } : look),
  ];
}

// Where their names stand, so that those of objects keep away.
export function newcomerBoxes(shown) {
  return newcomerNames(shown).map(({ x, y, width }) => ({
    left: x - FROM_DIAMOND - HALF_A_DIAMOND,
    right: x + width,
    top: y - FROM_DIAMOND,
    bottom: y + FROM_DIAMOND,
  }));
}

export function newcomerNames({ view, newcomers, theme, measure }) {
  const font = { weight: 600, size: theme.fontSize, font: theme.font };
  return newcomers.slice(0, MOST_NEWCOMERS_NAMED).map(({ label, x, y }) => {
    const [sx, width] = [screenX(view, x), BOLDER * measure(label)];
    const left =
      sx + FROM_DIAMOND + width > view.width ? sx - FROM_DIAMOND - width : sx + FROM_DIAMOND;
    const place = { x: left, y: screenY(view, y), width };
    return {
      kind: "text",
      text: label,
      ...place,
      ...font,
      fill: theme.text,
      halo: theme.background,
    };
  });
}
