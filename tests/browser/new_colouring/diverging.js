// Blue below zero, red above, the paler the nearer to it.

import { SHADES, addColouring, filled, rampColours, shownNumber } from "../palette.js";
import { PADDING, write } from "../legend_marks.js";
import { everyEighth, made } from "../legend.js";

addColouring({
  name: "diverging",
  styles(colour, theme) {
    const ramp = rampColours(["#2166ac", "#f7f7f7", "#b2182b"]);
    const most = colour.values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-300);
    return {
      styles: ramp.map((fill) => filled(fill, theme)),
      style: (value) => Math.round((value / most + 1) / 2 * (SHADES - 1)),
      legend: { ramp, ends: [-most, most].map(shownNumber) },
    };
  },
  parts({ ramp, ends }) {
    const bar = made("div", "ramp");
    bar.style.background = `linear-gradient(to right, ${everyEighth(ramp)})`;
    return [bar, made("p", "ramp-ends", ends.join(" to "))];
  },
  marks(pen, { ends }) {
    write(pen, PADDING, ends.join(" to "));
  },
});
