// What is to be seen, as a list of marks in screen coordinates: {kind: "path" | "dot" | "text" | "image"}.
// The screen, PNG and SVG are painted from the same marks.

import { gridStep, screenX, screenY, toMap } from "./view.js";
import { labelBox, onStage } from "./labels.js";

// Each object has a rim, and around it a halo that keeps it apart from its neighbours.
export const RIM = 1.25;
// A prime, for a stride through the objects.
const SCATTER = 7919;

export function path(lines, look) {
  return { kind: "path", lines, closed: false, fill: "none", stroke: "none", width: 1, ...look };
}

export function gridMarks(view, theme) {
  const step = gridStep(view.scale);
  const [left, top] = toMap(view, [0, 0]);
  const [right, bottom] = toMap(view, [view.width, view.height]);
  const lines = [];
  for (let k = Math.ceil(left / step); k <= right / step; k++) {
    const sx = crisp(screenX(view, k * step));
    lines.push([
      [sx, 0],
      [sx, view.height],
    ]);
  }
  for (let k = Math.ceil(bottom / step); k <= top / step; k++) {
    const sy = crisp(screenY(view, k * step));
    lines.push([
      [0, sy],
      [view.width, sy],
    ]);
  }
  return [path(lines, { stroke: theme.text, opacity: theme.dark ? 0.1 : 0.07 })];
}

// Lines between pairs of objects.
export function lineMarks({ view, x, y, lines, theme }) {
  if (!lines.length) return [];
  const at = (i) => [screenX(view, x[i]), screenY(view, y[i])];
  const drawn = lines.map(([i, j]) => [at(i), at(j)]);
  return [path(drawn, { stroke: theme.text, opacity: 0.35, width: 1.25 })];
}

export function dotMarks({ view, x, y, colouring, radius }) {
  const drawn = paintOrder(colouring, x.length).filter((i) => !Number.isNaN(x[i]));
  return drawn.map((i) => {
    const style = colouring.styles[colouring.styleOf[i]];
    return objectMark(screenX(view, x[i]), screenY(view, y[i]), radius, style);
  });
}

// A dot, or the picture of the style once it has been read, as wide or high as the dot.
export function objectMark(x, y, radius, style) {
  const { naturalWidth = 0, naturalHeight = 0 } = style.picture ?? {};
  if (!naturalWidth) return { kind: "dot", x, y, radius, style };
  const scale = (2 * radius) / Math.max(naturalWidth, naturalHeight);
  const [width, height] = [naturalWidth * scale, naturalHeight * scale];
  const corner = { x: x - width / 2, y: y - height / 2 };
  return { kind: "image", image: style.picture, ...corner, width, height };
}

// Objects without a value lie beneath those that tell something; otherwise the order is
// scattered, so that in a crowd the last ones of a sorted table do not hide the first.
export function paintOrder({ styles, styleOf }, count) {
  const scattered = Uint32Array.from({ length: count }, (_, k) => (k * SCATTER) % count);
  // The stride meets every object once unless it divides their number.
  const all = count % SCATTER ? scattered : scattered.map((_, k) => k);
  const hollow = (i) => styles[styleOf[i]].hollow;
  return [...all.filter(hollow), ...all.filter((i) => !hollow(i))];
}

// Rings around what is selected, beneath the objects so that they hide no colours.
export function ringMarks({ view, x, y, radius, selected, theme }) {
  return selected.map((i) => ringMark(screenX(view, x[i]), screenY(view, y[i]), radius, theme));
}

export function ringMark(sx, sy, radius, theme) {
  const small = radius < 4;
  const ring = circle(sx, sy, radius + (small ? 1.6 : 3));
  return path([ring], { closed: true, stroke: theme.text, width: small ? 1.4 : 2 });
}

// Broken rings around the object that is looked at, and that pointed at on a map beside.
export function currentMarks({ view, x, y, radius, current, pointed, theme }) {
  const ringed = [...new Set([current, pointed])].filter((i) => i >= 0);
  const rings = ringed.map((i) => circle(screenX(view, x[i]), screenY(view, y[i]), radius + 7));
  return [path(rings, { closed: true, stroke: theme.primary, width: 2, dash: [4, 3] })];
}

export function labelMarks({ view, x, y, labels, selected, theme, opacity = 1 }) {
  const chosen = new Set(selected);
  const marks = [];
  for (const label of labels) {
    if (!onStage(label.anchor, view, x, y)) continue;
    const box = labelBox(label, view, x, y);
    if (label.leader) marks.push(leaderMark(label, box, { view, x, y, theme, opacity }));
    marks.push({
      kind: "text",
      x: box.left,
      y: box.top + box.height / 2,
      text: label.text,
      size: theme.fontSize,
      font: theme.font,
      fill: theme.text,
      halo: theme.background,
      underlined: label.members.every((i) => chosen.has(i)) ? box.width : 0,
      opacity: opacity * (label.opacity ?? 1),
    });
  }
  return marks;
}

function leaderMark(label, box, { view, x, y, theme, opacity }) {
  const [sx, sy] = [screenX(view, x[label.anchor]), screenY(view, y[label.anchor])];
  const end = [
    Math.max(box.left - 1, Math.min(box.left + box.width + 1, sx)),
    Math.max(box.top + 3, Math.min(box.top + box.height - 3, sy)),
  ];
  return path([[[sx, sy], end]], { stroke: theme.text, opacity: 0.45 * opacity });
}

export function rimOf(radius) {
  return Math.min(RIM, radius * 0.22);
}

export function circle(x, y, radius, corners = 40) {
  return Array.from({ length: corners }, (_, k) => {
    const angle = (2 * Math.PI * k) / corners;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

// The outline of an object of each shape, about equal in area.
export function shapeOutline(shape, x, y, radius) {
  const corners = {
    square: [
      [-0.88, -0.88],
      [0.88, -0.88],
      [0.88, 0.88],
      [-0.88, 0.88],
    ],
    diamond: [
      [0, -1.22],
      [1.22, 0],
      [0, 1.22],
      [-1.22, 0],
    ],
    triangle: [
      [0, -1.3],
      [1.25, 0.9],
      [-1.25, 0.9],
    ],
  }[shape];
  return corners.map(([dx, dy]) => [x + dx * radius, y + dy * radius]);
}

function crisp(position) {
  return Math.round(position) + 0.5;
}
