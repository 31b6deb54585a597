// Pictures of exactly what is shown, saved by the browser itself.

import { dotMarks, labelMarks, lineMarks, path, ringMarks } from "./marks.js";
import { drawingMarks } from "./toolbox.js";
import { legendMarks } from "./legend_marks.js";
import { paintMarks } from "./canvas.js";
import { svgText } from "./svg.js";
import { gridOf, picture, textMeasure } from "./render.js";
import { densityLines, densityMarks } from "./density.js";
import { endMarks } from "./ends.js";
import { directionMarks } from "./directions.js";
import { newcomerMarks } from "./newcomers.js";
import { scaleMarks } from "./scale_bar.js";

const PNG_PIXELS = 2;

export function saveSvg(m) {
  const text = svgText(pictureMarks(m), m.view.width, m.view.height, m.scene.title || "Map");
  save(m, new Blob([text], { type: "image/svg+xml" }), "svg");
}

export function savePng(m) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(m.view.width * PNG_PIXELS);
  canvas.height = Math.round(m.view.height * PNG_PIXELS);
  const context = canvas.getContext("2d");
  context.scale(PNG_PIXELS, PNG_PIXELS);
  paintMarks(context, pictureMarks(m));
  canvas.toBlob((blob) => blob && save(m, blob, "png"), "image/png");
}

export function pictureMarks(m) {
  // Of no tool, so that nothing is shown to be taken hold of.
  const shown = { ...picture(m), tool: null };
  const { width, height } = m.view;
  const sheet = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
  return [
    path([sheet], { fill: m.theme.background, closed: true }),
    ...densityMarks(m),
    ...gridOf(m),
    ...lineMarks(shown),
    ...endMarks(shown),
    ...ringMarks(shown),
    ...dotMarks(shown),
    ...densityLines(m),
    ...scaleMarks(shown),
    ...labelMarks(shown),
    ...newcomerMarks(shown),
    ...directionMarks(shown),
    ...drawingMarks(shown),
    ...shownLegend(m),
  ];
}

export function shownLegend(m) {
  if (!m.legend.open) return [];
  const { left, right, top, bottom } = m.legendBox;
  // The picture's legend may differ in size; it hangs in the same corner.
  const place = (width, height) => [
    left < m.view.width - right ? left : right - width,
    top < m.view.height - bottom ? top : bottom - height,
  ];
  return legendMarks(m.colouring.legend, { theme: m.theme, measure: textMeasure(m), place });
}

export function save(m, blob, ending) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${fileName(m.scene.title)}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  m.announce(`Saved as ${link.download}.`);
}

function fileName(title) {
  const plain = title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return plain || "map";
}
