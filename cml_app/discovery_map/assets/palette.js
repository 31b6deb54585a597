// Values become styles. Each object gets the number of a style {fill, stroke, halo, shape,
// hollow}; the legend is told in the same styles.
//
// A colouring is a module of colourings/ that calls addColouring once; the other modules know of
// colourings only what is asked here and by the legends.
//   name       as palettes.py has it
//   styles(colour, theme)   {styles, style(value): the number of one, legend or null}, and how
//                           much larger than usual its objects are, if they are: grown;
//                           where styles have a picture, a promise that it has been read: ready
//   parts(legend)           its legend on the screen, as elements
//   marks(pen, legend)      its legend on pictures: marks that are added to the pen

import { hex, luminance, mixed, rgbOf } from "./theme.js";

export const SHADES = 256;
const NEXT_TO_NOTHING = 1e-4;
const COLOURINGS = new Map();

export function addColouring(colouring) {
  COLOURINGS.set(colouring.name, colouring);
}

export function colouringNamed(name) {
  return COLOURINGS.get(name);
}

export function colouringFor(colour, theme, count) {
  if (!colour) return plainColouring(theme, count);
  const told = colouringNamed(colour.kind).styles(colour, theme);
  const missing = colour.values.some((value) => value === null);
  const styles = [...told.styles, missingStyle(theme)];
  const gap = styles.length - 1;
  const styleOf = Uint16Array.from(colour.values, (v) => (v === null ? gap : told.style(v)));
  const { grown = 1, ready = null } = told;
  const painted = { styles, styleOf, grown, ready };
  if (!told.legend) return { ...painted, legend: null };
  const legend = { name: colour.name, kind: colour.kind, ...told.legend };
  return { ...painted, legend: { ...legend, missing: missing ? styles[gap] : null } };
}

// So many shades that pass from stop to stop.
export function rampColours(stops) {
  const rgb = stops.map(rgbOf);
  return Array.from({ length: SHADES }, (_, k) => {
    const place = (k / (SHADES - 1)) * (rgb.length - 1);
    const i = Math.min(rgb.length - 2, Math.floor(place));
    return hex(mixed(rgb[i], rgb[i + 1], place - i));
  });
}

// `range` is that of the values it stands among: what is next to nothing there is 0.
export function shownNumber(value, range = Math.abs(value)) {
  const shown = Math.abs(value) < range * NEXT_TO_NOTHING ? 0 : value;
  return new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }).format(shown);
}

// A rim in a darker (on dark: lighter) shade keeps light and dark fills off the background.
export function filled(fill, theme, shape = "circle") {
  const rgb = rgbOf(fill);
  const rim = theme.dark
    ? mixed(rgb, [255, 255, 255], luminance(rgb) < 0.45 ? 0.5 : 0.15)
    : mixed(rgb, [0, 0, 0], luminance(rgb) > 0.6 ? 0.45 : 0.25);
  return { fill, stroke: hex(rim), halo: theme.background, shape, hollow: false };
}

function plainColouring(theme, count) {
  const styles = [filled(theme.primary, theme)];
  return { styles, styleOf: new Uint16Array(count), grown: 1, ready: null, legend: null };
}

function missingStyle({ background, missing }) {
  return { fill: background, stroke: missing, halo: background, shape: "circle", hollow: true };
}
