// Colours that are values themselves: an object looks as it is said to look, without a legend.

import { addColouring, filled } from "../palette.js";

// A colour is to be seen, so its object is larger.
const GROWN = 1.8;

addColouring({
  name: "swatch",
  styles: (colour, theme) => ({
    styles: colour.levels.map((fill) => filled(fill, theme)),
    style: (value) => value,
    grown: GROWN,
    legend: null,
  }),
});
