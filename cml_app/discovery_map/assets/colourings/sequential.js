// Amounts, from dark to light; the legend is a ramp between the lowest and the highest.

import { SHADES, addColouring, filled, rampColours, shownNumber } from "../palette.js";
import { PADDING, rectangle, write } from "../legend_marks.js";
import { everyEighth, made } from "../legend.js";
import { path } from "../marks.js";

// Stops of viridis (van der Walt and Smith, 2015).
const VIRIDIS = [
  "#440154",
  "#482878",
  "#3e4989",
  "#31688e",
  "#26828e",
  "#1f9e89",
  "#35b779",
  "#6ece58",
  "#b5de2b",
  "#fde725",
];
const RAMP = { width: 140, height: 10 };

addColouring({
  name: "sequential",
  styles(colour, theme) {
    const present = colour.values.filter((value) => value !== null);
    const low = present.reduce((a, b) => Math.min(a, b), Infinity);
    const high = present.reduce((a, b) => Math.max(a, b), -Infinity);
    const ramp = rampColours(VIRIDIS);
    const place = (value) => (high > low ? (value - low) / (high - low) : 0.5);
    return {
      styles: ramp.map((fill) => filled(fill, theme)),
      style: (value) => Math.round(place(value) * (SHADES - 1)),
      legend: { ramp, ends: endsOf(low, high) },
    };
  },
  parts({ ramp, ends }) {
    if (!ends.length) return [];
    const bar = made("div", "ramp");
    bar.style.background = `linear-gradient(to right, ${everyEighth(ramp)})`;
    const texts = made("p", "ramp-ends");
    texts.append(...ends.map((text) => made("span", "", text)));
    return [bar, texts];
  },
  marks(pen, { ramp, ends }) {
    if (!ends.length) return;
    const step = RAMP.width / ramp.length;
    ramp.forEach((fill, k) => {
      // A little overlap hides the seams between neighbouring strips.
      const strip = rectangle(PADDING + k * step, pen.y, step + 0.6, RAMP.height);
      pen.marks.push(path([strip], { fill, closed: true }));
    });
    pen.y += RAMP.height + 2;
    const [low, high] = ends;
    const y = pen.y;
    write(pen, PADDING, low);
    if (high === undefined) return;
    pen.y = y;
    write(pen, PADDING + RAMP.width - pen.measure(high), high);
  },
});

// What is written at the ends: nothing where no value is known, one number where all are equal.
function endsOf(low, high) {
  if (low > high) return [];
  if (low === high) return [shownNumber(low)];
  return [low, high].map((end) => shownNumber(end, high - low));
}
