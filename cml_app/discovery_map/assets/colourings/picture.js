// Pictures in place of dots; what they tell, if anything, stands in the legend in words.

import { PADDING, write } from "../legend_marks.js";
import { made } from "../legend.js";
import { addColouring, filled } from "../palette.js";

// A picture is to be recognised, so its object is larger.
const GROWN = 3.5;

function loading(address) {
  const picture = new Image();
  picture.src = address;
  return picture;
}

addColouring({
  name: "picture",
  styles(colour, theme) {
    const pictures = colour.levels.map(loading);
    return {
      styles: pictures.map((picture) => ({ ...filled(theme.primary, theme), picture })),
      style: (value) => value,
      grown: GROWN,
      // One that cannot be read stays a dot.
      ready: Promise.allSettled(pictures.map((picture) => picture.decode())),
      legend: colour.words.length ? { words: colour.words } : null,
    };
  },
  parts: ({ words }) => words.map((line) => made("p", "entry", line)),
  marks(pen, { words }) {
    for (const line of words) write(pen, PADDING, line);
  },
});
