// Values become styles. Each object gets the number of a style {fill, stroke, halo, shape,
// hollow}; the legend is told in the same styles.

import { hex, luminance, mixed, rgbOf } from "./theme.js";

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
// More than eight categories are told apart by shape as well.
const SHAPES = ["circle", "square", "diamond", "triangle"];
// Stops of viridis (van der Walt and Smith, 2015), dark to light.
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
const SHADES = 256;

export function colouringFor(colour, theme, count) {
  if (!colour) return plainColouring(theme, count);
  const make = { categorical: categories, sequential: shades, circular: directions }[colour.kind];
  const told = make(colour, theme);
  const missing = colour.values.some((value) => value === null);
  const styles = [...told.styles, missingStyle(theme)];
  const gap = styles.length - 1;
  const styleOf = Uint16Array.from(colour.values, (v) => (v === null ? gap : told.style(v)));
  const legend = { name: colour.name, kind: colour.kind, ...told.legend };
  return { styles, styleOf, legend: { ...legend, missing: missing ? styles[gap] : null } };
}

function rampColours(stops, count) {
  const rgb = stops.map(rgbOf);
  return Array.from({ length: count }, (_, k) => {
    const place = (k / (count - 1)) * (rgb.length - 1);
    const i = Math.min(rgb.length - 2, Math.floor(place));
    return hex(mixed(rgb[i], rgb[i + 1], place - i));
  });
}

export function shownNumber(value) {
  return new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }).format(value);
}

function plainColouring(theme, count) {
  return { styles: [filled(theme.primary, theme)], styleOf: new Uint16Array(count), legend: null };
}

function categories(colour, theme) {
  const styles = colour.levels.map((_, k) => {
    const fill = OKABE_ITO[k % OKABE_ITO.length];
    const seen = theme.dark && fill === "#000000" ? "#e8e8e8" : fill;
    return filled(seen, theme, SHAPES[Math.floor(k / OKABE_ITO.length) % SHAPES.length]);
  });
  const entries = colour.levels.map((label, k) => ({ label, style: styles[k] }));
  return { styles, style: (value) => value, legend: { entries } };
}

function shades(colour, theme) {
  const present = colour.values.filter((value) => value !== null);
  const low = present.reduce((a, b) => Math.min(a, b), Infinity);
  const high = present.reduce((a, b) => Math.max(a, b), -Infinity);
  const ramp = rampColours(VIRIDIS, SHADES);
  const place = (value) => (high > low ? (value - low) / (high - low) : 0.5);
  return {
    styles: ramp.map((fill) => filled(fill, theme)),
    style: (value) => Math.round(place(value) * (SHADES - 1)),
    legend: { ramp, low, high, constant: !(high > low), empty: !present.length },
  };
}

function directions(colour, theme) {
  const ramp = rampColours(TWILIGHT, SHADES);
  const turn = (value) => (((value / colour.period) % 1) + 1) % 1;
  return {
    styles: ramp.map((fill) => filled(fill, theme)),
    style: (value) => Math.floor(turn(value) * SHADES) % SHADES,
    legend: { ramp, period: colour.period },
  };
}

// A rim in a darker (on dark: lighter) shade keeps light and dark fills off the background.
function filled(fill, theme, shape = "circle") {
  const rgb = rgbOf(fill);
  const rim = theme.dark
    ? mixed(rgb, [255, 255, 255], luminance(rgb) < 0.45 ? 0.5 : 0.15)
    : mixed(rgb, [0, 0, 0], luminance(rgb) > 0.6 ? 0.45 : 0.25);
  return { fill, stroke: hex(rim), halo: theme.background, shape, hollow: false };
}

function missingStyle({ background, missing }) {
  return { fill: background, stroke: missing, halo: background, shape: "circle", hollow: true };
}
