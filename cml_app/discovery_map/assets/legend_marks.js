// The legend as marks, for pictures; on the screen it is ordinary text beside the map.

import { path } from "./marks.js";
import { colouringNamed } from "./palette.js";
import { fittedText } from "./labels.js";

export const PADDING = 10;
export const LINE = 18;

// legend: as palette.js tells it; place(width, height) -> [left, top] of its rectangle.
export function legendMarks(legend, { theme, measure, place }) {
  if (!legend) return [];
  const pen = { y: PADDING, width: 0, marks: [], theme, measure };
  write(pen, PADDING, fittedText(legend.name, 180, measure), 600);
  colouringNamed(legend.kind).marks(pen, legend);
  if (legend.missing) addEntry(pen, "missing", legend.missing);
  const size = [pen.width + PADDING, pen.y + PADDING - 4];
  const [left, top] = place(...size);
  return [panel(left, top, ...size, theme), ...pen.marks.map((mark) => moved(mark, left, top))];
}

export function addEntry(pen, label, style) {
  const dot = { kind: "dot", x: PADDING + 6, y: pen.y + LINE / 2, radius: 5, style };
  pen.marks.push(dot);
  write(pen, PADDING + 18, fittedText(label, 160, pen.measure));
}

export function write(pen, x, text, weight = 400) {
  writeAt(pen, x, pen.y + LINE / 2, text, weight);
  pen.y += LINE;
}

export function writeAt(pen, x, y, text, weight = 400) {
  const { theme } = pen;
  pen.width = Math.max(pen.width, x + pen.measure(text) * (weight > 400 ? 1.08 : 1));
  pen.marks.push({
    kind: "text",
    x,
    y,
    text,
    weight,
    size: theme.fontSize - 1,
    font: theme.font,
    fill: theme.text,
  });
}

function panel(left, top, width, height, theme) {
  const look = { fill: theme.background, fillOpacity: 0.9, stroke: theme.text };
  const sheet = rectangle(left, top, width, height);
  return path([sheet], { ...look, strokeOpacity: 0.18, closed: true });
}

export function rectangle(left, top, width, height) {
  return [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ];
}

function moved(mark, dx, dy) {
  if (mark.kind !== "path") return { ...mark, x: mark.x + dx, y: mark.y + dy };
  return { ...mark, lines: mark.lines.map((line) => line.map(([x, y]) => [x + dx, y + dy])) };
}
