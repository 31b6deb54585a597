// Where features rise: arrows from the middle of the map, longer where the map tells more of them.

import { screenX, screenY } from "./view.js";
import { path } from "./marks.js";
import { headAt } from "./line_marks.js";

// The longest arrow there can be, as a share of the map's longer side.
const LONGEST = 0.5;
const SHAFT_END = 10;
export const BOLDER = 1.08;
const FROM_TIP = 5;
const HALF_A_LINE = 10;
const RIM_OF_ONE = 6;
// Where a name stands beside its tip: as the arrow points, else to the right, or to the left.
const SIDES = [null, 1, -1];

export function directionMarks(shown) {
  const { theme } = shown;
  const font = { weight: 600, size: theme.fontSize, font: theme.font };
  const colours = { fill: theme.text, halo: theme.background };
  return arrows(shown).flatMap(({ words, shaft, head, box }) => [
    path([shaft], { stroke: theme.background, width: 5, cap: "round" }),
    path([shaft], { stroke: theme.text, width: 2, cap: "round" }),
    path([head], { fill: theme.text, stroke: theme.background, width: 1, closed: true }),
    { kind: "text", x: box.left, y: (box.top + box.bottom) / 2, text: words, ...font, ...colours },
  ]);
}

// Where their names stand, so that those of objects keep away.
export function directionBoxes(shown) {
  return arrows(shown).map(({ box }) => box);
}

function arrows({ view, bounds, directions, measure, x: xs, y: ys }) {
  const objects = Array.from(directions.length ? xs : [], (x, i) => [
    screenX(view, x),
    screenY(view, ys[i]),
  ]);
  const sides = [bounds.right - bounds.left, bounds.top - bounds.bottom];
  const reach = LONGEST * Math.max(...sides) * view.scale;
  const middle = [
    screenX(view, (bounds.left + bounds.right) / 2),
    screenY(view, (bounds.bottom + bounds.top) / 2),
  ];
  return directions.map(({ words, x, y, share }) => {
    const length = reach * Math.sqrt(share);
    const at = (far) => [middle[0] + far * x, middle[1] - far * y];
    const width = measure(words) * BOLDER;
    const boxes = SIDES.map((side) => textBox(at(length), [side ?? x, -y], width, view));
    const box = leastCovering(boxes, objects);
    const shaft = [middle, at(Math.max(0, length - SHAFT_END))];
    return { words, shaft, head: headAt(middle, at(length)), box };
  });
}

// Of some boxes the first that hides no object, or as few as can be.
function leastCovering(boxes, objects) {
  const hidden = boxes.map(
    (box) =>
      objects.filter(
        ([sx, sy]) =>
          sx > box.left - RIM_OF_ONE &&
          sx < box.right + RIM_OF_ONE &&
          sy > box.top - RIM_OF_ONE &&
          sy < box.bottom + RIM_OF_ONE,
      ).length,
  );
  return boxes[hidden.indexOf(Math.min(...hidden))];
}

// Beyond the tip, on the side to which the arrow points, and on the stage.
function textBox([tx, ty], [dx, dy], width, view) {
  const from = tx + dx * FROM_TIP - (width * (1 - dx)) / 2;
  const left = Math.max(2, Math.min(view.width - width - 2, from));
  const y = Math.max(HALF_A_LINE, Math.min(view.height - HALF_A_LINE, ty + dy * 15));
  return { left, right: left + width, top: y - HALF_A_LINE, bottom: y + HALF_A_LINE };
}

export function toggleDirections(m) {
  m.directionsShown = !m.directionsShown;
  const words = m.scene.directions.map((one) => one.words).join(", ");
  m.announce(m.directionsShown ? `Directions of features: ${words}.` : "Directions hidden.");
}
