// All pictures as one drawing, as they stand on the page.

import { pictureMarks, save } from "../../discovery_map/assets/export.js";
import { legendMarks } from "../../discovery_map/assets/legend_marks.js";
import { path } from "../../discovery_map/assets/marks.js";
import { textMeasure } from "../../discovery_map/assets/render.js";
import { svgText } from "../../discovery_map/assets/svg.js";

const BETWEEN = 12;
const TITLE_HEIGHT = 22;

export function saveGrid(grid) {
  const roots = Array.from(grid.holder.children);
  const drawn = roots
    .map((root) => Array.from(grid.panels.values()).find((panel) => panel.root === root))
    .filter(({ m }) => m.scene.labels.length && m.view.width);
  if (!drawn.length) return;
  const [wide, high] = ["width", "height"].map((side) =>
    Math.max(...drawn.map(({ m }) => m.view[side])),
  );
  const across = Math.min(grid.across, drawn.length);
  const cell = [wide + BETWEEN, high + TITLE_HEIGHT + BETWEEN];
  const corner = (k) => [
    BETWEEN + (k % across) * cell[0],
    BETWEEN + Math.floor(k / across) * cell[1],
  ];
  const size = [BETWEEN + across * cell[0], BETWEEN + Math.ceil(drawn.length / across) * cell[1]];
  const { theme } = drawn[0].m;
  const key = keyMarks(drawn[0].m, (high) => {
    const corner = [BETWEEN, size[1]];
    size[1] += high + BETWEEN;
    return corner;
  });
  const titles = drawn.map(({ m }, k) => titleMark(m.scene.title, corner(k), theme));
  const inner = drawn.map(({ m }, k) => {
    const [left, top] = corner(k);
    const { width, height } = m.view;
    return svgText(pictureMarks(m), width, height, m.scene.title, [left, top + TITLE_HEIGHT]);
  });
  const marks = [sheetMark(size, theme), ...titles, ...key];
  const text = svgText(marks, ...size, grid.data.title, [0, 0], inner);
  const { announce } = grid;
  const named = { scene: { title: grid.data.title }, announce };
  save(named, new Blob([text], { type: "image/svg+xml" }), "svg");
}

// The colours, below all pictures.
function keyMarks(m, cornerFor) {
  const place = (_wide, high) => cornerFor(high);
  return legendMarks(m.colouring.legend, { theme: m.theme, measure: textMeasure(m), place });
}

function titleMark(text, [x, y], theme) {
  const look = { size: theme.fontSize, font: theme.font, fill: theme.text, weight: 600 };
  return { kind: "text", x, y: y + TITLE_HEIGHT / 2, text, ...look };
}

function sheetMark([width, height], theme) {
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
  return path([corners], { fill: theme.background, closed: true });
}
