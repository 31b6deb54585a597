// The legend as marks, for pictures; on the screen it is ordinary text beside the map.

import { path } from "./marks.js";
import { shownNumber } from "./palette.js";
import { fittedText } from "./labels.js";

const PADDING = 10;
const LINE = 18;
const RAMP = { width: 140, height: 10 };
const RING = { outer: 26, inner: 15 };
const MOST_ENTRIES = 16;

// legend: as palette.js tells it; place(width, height) -> [left, top] of its rectangle.
export function legendMarks(legend, { theme, measure, place }) {
  if (!legend) return [];
  const pen = { y: PADDING, width: 0, marks: [], theme, measure };
  write(pen, PADDING, fittedText(legend.name, 180, measure), 600);
  if (legend.kind === "categorical") addEntries(pen, legend.entries);
  if (legend.kind === "sequential" && !legend.empty) addRamp(pen, legend);
  if (legend.kind === "circular") addRing(pen, legend);
  if (legend.missing) addEntry(pen, "missing", legend.missing);
  const size = [pen.width + PADDING, pen.y + PADDING - 4];
  const [left, top] = place(...size);
  return [panel(left, top, ...size, theme), ...pen.marks.map((mark) => moved(mark, left, top))];
}

export function rampLabels({ low, high, constant }) {
  return constant ? [shownNumber(low)] : [shownNumber(low), shownNumber(high)];
}

export function ringLabels(period) {
  return [0, 0.25, 0.5, 0.75].map((share) => shownNumber(share * period));
}

function addEntries(pen, entries) {
  for (const { label, style } of entries.slice(0, MOST_ENTRIES)) addEntry(pen, label, style);
  const more = entries.length - MOST_ENTRIES;
  if (more > 0) write(pen, PADDING, `and ${more} more`);
}

function addEntry(pen, label, style) {
  const dot = { kind: "dot", x: PADDING + 6, y: pen.y + LINE / 2, radius: 5, style };
  pen.marks.push(dot);
  write(pen, PADDING + 18, fittedText(label, 160, pen.measure));
}

function addRamp(pen, legend) {
  const step = RAMP.width / legend.ramp.length;
  legend.ramp.forEach((fill, k) => {
    // A little overlap hides the seams between neighbouring strips.
    const strip = rectangle(PADDING + k * step, pen.y, step + 0.6, RAMP.height);
    pen.marks.push(path([strip], { fill, closed: true }));
  });
  pen.y += RAMP.height + 2;
  const [low, high] = rampLabels(legend);
  const y = pen.y;
  write(pen, PADDING, low);
  if (high === undefined) return;
  pen.y = y;
  write(pen, PADDING + RAMP.width - pen.measure(high), high);
}

function addRing(pen, { ramp, period }) {
  const centre = [PADDING + 52, pen.y + LINE + RING.outer];
  const count = 64;
  for (let k = 0; k < count; k++) {
    const fill = ramp[Math.floor((k / count) * ramp.length)];
    const piece = ringPiece(centre, k / count, (k + 1.05) / count);
    pen.marks.push(path([piece], { fill, closed: true }));
  }
  const labels = ringLabels(period);
  const reach = RING.outer + 4;
  const above = pen.y;
  writeAt(pen, centre[0] - pen.measure(labels[0]) / 2, above + LINE / 2, labels[0]);
  writeAt(pen, centre[0] + reach, centre[1], labels[1]);
  writeAt(pen, centre[0] - pen.measure(labels[2]) / 2, centre[1] + reach + 7, labels[2]);
  writeAt(pen, centre[0] - reach - pen.measure(labels[3]), centre[1], labels[3]);
  pen.y = centre[1] + RING.outer + LINE + 2;
}

// Clockwise from the top, as on a compass or a clock.
function ringPiece([x, y], from, to) {
  const at = (share, radius) => {
    const angle = 2 * Math.PI * share;
    return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
  };
  return [at(from, RING.inner), at(from, RING.outer), at(to, RING.outer), at(to, RING.inner)];
}

function write(pen, x, text, weight = 400) {
  writeAt(pen, x, pen.y + LINE / 2, text, weight);
  pen.y += LINE;
}

function writeAt(pen, x, y, text, weight = 400) {
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

function rectangle(left, top, width, height) {
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
