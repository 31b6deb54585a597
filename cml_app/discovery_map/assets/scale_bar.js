// How long a distance on the map is in the units of the data.

import { gridStep } from "./view.js";
import { path } from "./marks.js";
import { shownNumber } from "./palette.js";

const FROM_EDGE = 14;
const TICK = 5;
const TEXT_HEIGHT = 16;

// Of the two lower corners the one that the legend leaves free.
export function scaleBox({ view, unit, measure, legendBox }) {
  const length = gridStep(view.scale) * view.scale;
  const text = `${shownNumber(gridStep(view.scale))} ${unit}`;
  const width = Math.max(length, measure(text));
  const bottom = view.height - FROM_EDGE;
  const legendThere =
    legendBox && legendBox.bottom > bottom - TEXT_HEIGHT && legendBox.left < width;
  const left = legendThere ? view.width - FROM_EDGE - width : FROM_EDGE;
  return { left, right: left + width, top: bottom - TEXT_HEIGHT - TICK, bottom, length, text };
}

export function scaleMarks(shown) {
  if (!shown.unit) return [];
  const { left, bottom, length, text } = scaleBox(shown);
  const { theme } = shown;
  const bar = [
    [left, bottom - TICK],
    [left, bottom],
    [left + length, bottom],
    [left + length, bottom - TICK],
  ];
  const words = { kind: "text", x: left + 2, y: bottom - TEXT_HEIGHT / 2 - 3, text };
  const look = { font: theme.font, fill: theme.text, halo: theme.background };
  return [
    path([bar], { stroke: theme.background, width: 4 }),
    path([bar], { stroke: theme.text, width: 1.5 }),
    { ...words, ...look, size: theme.fontSize - 2 },
  ];
}
