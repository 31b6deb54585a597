// Where a crowd is densest: shading beneath the objects, and lines of one density upon them.

import { contourPieces } from "./contours.js";
import { path } from "./marks.js";
import { screenX, screenY } from "./view.js";
import { rgbOf } from "./theme.js";

const SHADED_FROM = 500;
// Cells along the longer side, how far beyond the objects they go, and how far each one shades.
const CELLS = 120;
const BEYOND_OBJECTS = 9;
const REACH_OF_ONE = 3;
const DARKEST = 0.3;
// At these shares of the highest density.
const LINES_AT = [0.15, 0.4, 0.7];

export function densityMarks(m) {
  const shading = shadingNow(m);
  if (!shading) return [];
  const { image, left, top, cell } = shading;
  const [width, height] = [image.width, image.height].map((count) => count * cell * m.view.scale);
  return [
    {
      kind: "image",
      image,
      x: screenX(m.view, left),
      y: screenY(m.view, top),
      width,
      height,
    },
  ];
}

export function densityLines(m) {
  const shading = shadingNow(m);
  if (!shading) return [];
  const { pieces, left, top, cell } = shading;
  // Counts are those of whole cells, so their places are the middles.
  const at = ([column, row]) => [
    screenX(m.view, left + (column + 0.5) * cell),
    screenY(m.view, top - (row + 0.5) * cell),
  ];
  const lines = pieces.map((piece) => piece.map(at));
  return [
    path(lines, { stroke: m.theme.background, width: 3.5, opacity: 0.7, cap: "round" }),
    path(lines, { stroke: m.theme.text, width: 1.25, cap: "round" }),
  ];
}

// Objects under way are not shaded: where they are changes with every frame.
function shadingNow(m) {
  if (m.x.length < SHADED_FROM || m.motion) return null;
  if (m.shading?.index !== m.index || m.shading.theme !== m.theme) {
    m.shading = { index: m.index, theme: m.theme, ...shadingOf(m) };
  }
  return m.shading;
}

function shadingOf({ index, bounds, theme }) {
  const [wide, high] = [bounds.right - bounds.left, bounds.top - bounds.bottom];
  const cell = Math.max(wide, high) / CELLS || 1;
  const grid = {
    columns: Math.ceil(wide / cell) + 2 * BEYOND_OBJECTS,
    rows: Math.ceil(high / cell) + 2 * BEYOND_OBJECTS,
  };
  const left = bounds.left - BEYOND_OBJECTS * cell;
  const top = bounds.top + BEYOND_OBJECTS * cell;
  const counts = new Float64Array(grid.columns * grid.rows);
  index.x.forEach((x, i) => {
    const column = Math.floor((x - left) / cell);
    const row = Math.floor((top - index.y[i]) / cell);
    counts[row * grid.columns + column] += 1;
  });
  const density = blurred(counts, grid);
  const most = density.reduce((a, b) => Math.max(a, b), 0);
  const pieces = LINES_AT.flatMap((share) =>
    contourPieces(density, grid.columns, grid.rows, share * most),
  );
  return { image: painted(density, grid, most, theme), pieces, left, top, cell };
}

// A Gaussian, along rows and then along columns.
function blurred(values, { columns, rows }) {
  const along = (from, count, lines, step, stride) => {
    const to = new Float64Array(from.length);
    for (let line = 0; line < lines; line++) {
      for (let k = 0; k < count; k++) {
        const value = from[line * stride + k * step];
        if (!value) continue;
        const last = Math.min(count - 1, k + 3 * REACH_OF_ONE);
        for (let j = Math.max(0, k - 3 * REACH_OF_ONE); j <= last; j++) {
          to[line * stride + j * step] += value * Math.exp(-(((j - k) / REACH_OF_ONE) ** 2) / 2);
        }
      }
    }
    return to;
  };
  return along(along(values, columns, rows, 1, columns), rows, columns, columns, 1);
}

function painted(values, { columns, rows }, most, theme) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const sheet = context.createImageData(columns, rows);
  const [red, green, blue] = rgbOf(theme.text);
  values.forEach((value, k) => {
    sheet.data.set([red, green, blue, 255 * DARKEST * Math.sqrt(value / most)], 4 * k);
  });
  context.putImageData(sheet, 0, 0);
  return canvas;
}
