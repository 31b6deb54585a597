// What begins again after a period; the legend is a ring, clockwise from the top.

import { SHADES, addColouring, filled, rampColours, shownNumber } from "../palette.js";
import { LINE, PADDING, writeAt } from "../legend_marks.js";
import { everyEighth, made } from "../legend.js";
import { path } from "../marks.js";

// Stops of twilight (Bechtold, 2017): it ends where it begins, and its halves differ in hue
// while their lightness rises and falls.
const TWILIGHT = [
  "#e2d9e2",
  "#b5c5d0",
  "#7fa6c1",
  "#6276ba",
  "#5e43a5",
  "#49186f",
  "#2f1436",
  "#5b1447",
  "#8e2c50",
  "#b25652",
  "#c6896c",
  "#d3bfb1",
  "#e2d9e2",
];
const RING = { outer: 26, inner: 15, pieces: 64 };

addColouring({
  name: "circular",
  styles(colour, theme) {
    const ramp = rampColours(TWILIGHT);
    const turn = (value) => (((value / colour.period) % 1) + 1) % 1;
    return {
      styles: ramp.map((fill) => filled(fill, theme)),
      style: (value) => Math.floor(turn(value) * SHADES) % SHADES,
      legend: { ramp, quarters: [0, 0.25, 0.5, 0.75].map((q) => shownNumber(q * colour.period)) },
    };
  },
  parts({ ramp, quarters }) {
    const face = made("div", "ring");
    const ring = made("div", "ring-band");
    ring.style.background = `conic-gradient(${everyEighth(ramp)})`;
    face.append(ring, ...quarters.map((text) => made("span", "", text)));
    return [face];
  },
  marks(pen, { ramp, quarters }) {
    const [x, y] = [PADDING + 52, pen.y + LINE + RING.outer];
    for (let k = 0; k < RING.pieces; k++) {
      const fill = ramp[Math.floor((k / RING.pieces) * ramp.length)];
      const piece = ringPiece([x, y], k / RING.pieces, (k + 1.05) / RING.pieces);
      pen.marks.push(path([piece], { fill, closed: true }));
    }
    const reach = RING.outer + 4;
    const [top, right, bottom, left] = quarters;
    writeAt(pen, x - pen.measure(top) / 2, pen.y + LINE / 2, top);
    writeAt(pen, x + reach, y, right);
    writeAt(pen, x - pen.measure(bottom) / 2, y + reach + 7, bottom);
    writeAt(pen, x - reach - pen.measure(left), y, left);
    pen.y = y + RING.outer + LINE + 2;
  },
});

// As on a compass or a clock.
function ringPiece([x, y], from, to) {
  const at = (share, radius) => {
    const angle = 2 * Math.PI * share;
    return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
  };
  return [at(from, RING.inner), at(from, RING.outer), at(to, RING.outer), at(to, RING.inner)];
}
