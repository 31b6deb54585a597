// Levels, each with a colour of its own, and with a shape where there are more than eight.

import { addColouring, filled } from "../palette.js";
import { PADDING, addEntry, write } from "../legend_marks.js";
import { entry, made } from "../legend.js";

// Okabe and Ito (2008): eight colours that people with any colour vision tell apart.
const OKABE_ITO = [
  "#e69f00",
  "#56b4e9",
  "#009e73",
  "#f0e442",
  "#0072b2",
  "#d55e00",
  "#cc79a7",
  "#000000",
];
const SHAPES = ["circle", "square", "diamond", "triangle"];
const MOST_LISTED = 40;
const MOST_ON_PICTURES = 16;

addColouring({
  name: "categorical",
  styles(colour, theme) {
    const styles = colour.levels.map((_, k) => {
      // The last stands for all that have no colour of their own.
      if (colour.more && k === colour.levels.length - 1) return filled(theme.missing, theme);
      const fill = OKABE_ITO[k % OKABE_ITO.length];
      const seen = theme.dark && fill === "#000000" ? "#e8e8e8" : fill;
      return filled(seen, theme, SHAPES[Math.floor(k / OKABE_ITO.length) % SHAPES.length]);
    });
    const entries = colour.levels.map((label, k) => ({ label, style: styles[k] }));
    return { styles, style: (value) => value, legend: { entries } };
  },
  parts({ entries }) {
    const shown = entries.slice(0, MOST_LISTED).map(({ label, style }) => entry(label, style));
    const more = entries.length - MOST_LISTED;
    return more > 0 ? [...shown, made("p", "entry", `and ${more} more`)] : shown;
  },
  marks(pen, { entries }) {
    for (const { label, style } of entries.slice(0, MOST_ON_PICTURES)) addEntry(pen, label, style);
    const more = entries.length - MOST_ON_PICTURES;
    if (more > 0) write(pen, PADDING, `and ${more} more`);
  },
});
