// What the colours tell, made ready for the painter: a code for each slot, and the colours of the
// codes. The colourings themselves are those of the smaller map.

import { colouringNamed, filled } from "../../discovery_map/assets/palette.js";
import { hex, mixed, rgbOf } from "../../discovery_map/assets/theme.js";
import { inSlices } from "./slices.js";

export const MISSING = 65535;
const MOST = 65534;
// How far a fill goes towards black or white.
const SHADES_OF_SHAPES = {
  light: { circle: [0, 0], square: [0.5, 0], diamond: [0.45, 255], triangle: [0.72, 0] },
  dark: { circle: [0, 0], square: [0.5, 255], diamond: [0.45, 0], triangle: [0.72, 255] },
};

// How the painter adds up what lies in one place.
export const ALIKE = 0;
export const LEVELS = 1;
export const AMOUNTS = 2;
export const ANGLES = 3;

// colour: as Python tells it, without the values; they are in `values`.
export async function codesOf(colour, values, wanted) {
  if (colour.values === "uint16") return values;
  const [low, high] = colour.ends.length ? colour.ends : [0, 0];
  const { period } = colour;
  const share = period
    ? (v) => (((v / period) % 1) + 1) % 1
    : (v) => (high > low ? Math.max(0, Math.min(1, (v - low) / (high - low))) : 0.5);
  const codes = new Uint16Array(values.length);
  const done = await inSlices(
    values.length,
    (from, to) => {
      for (let k = from; k < to; k++) {
        codes[k] = Number.isNaN(values[k]) ? MISSING : Math.round(share(values[k]) * MOST);
      }
    },
    wanted,
  );
  return done ? codes : null;
}

export function valuesIn(colour, bytes) {
  return new (colour.values === "uint16" ? Uint16Array : Float32Array)(bytes.buffer);
}

// {mode, colours: [[red, green, blue], …], missing, legend, grown} of a colour in a theme.
export function paletteOf(colour, theme) {
  const missing = rgbOf(theme.missing);
  if (!colour) {
    return { mode: ALIKE, colours: [rgbOf(theme.primary)], missing, legend: null, grown: 1 };
  }
  const told = colouringNamed(colour.kind).styles({ ...colour, values: colour.ends ?? [] }, theme);
  const mode = colour.period ? ANGLES : colour.values === "uint16" ? LEVELS : AMOUNTS;
  const grey = { fill: theme.missing, stroke: theme.missing, halo: theme.background };
  const gap = { ...grey, shape: "circle", hollow: false };
  const fills = told.styles.map(({ fill, shape }) => fillOf(fill, shape, theme));
  const entries = told.legend?.entries?.map(({ label }, k) => ({
    label,
    style: filled(hex(fills[k]), theme),
  }));
  const legend = told.legend && {
    name: colour.name,
    kind: colour.kind,
    ...told.legend,
    ...(entries ? { entries } : {}),
    // An order has names where an amount has numbers.
    ...(mode === AMOUNTS && colour.levels.length
      ? { ends: colour.ends.map((end) => colour.levels[end]) }
      : {}),
    missing: colour.missing ? gap : null,
  };
  return { mode, colours: fills, missing, legend, grown: 1 };
}

// Discs this small have no shapes: levels that share a fill elsewhere have shades of it here.
function fillOf(fill, shape, theme) {
  const [share, towards] = SHADES_OF_SHAPES[theme.dark ? "dark" : "light"][shape];
  return mixed(rgbOf(fill), [towards, towards, towards], share);
}
