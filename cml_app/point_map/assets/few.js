// What is painted where there is no WebGL2: the first objects, which are a fair sample.

import { screenX, screenY } from "../../discovery_map/assets/view.js";
import { hex } from "../../discovery_map/assets/theme.js";
import { fitCanvas } from "../../discovery_map/assets/render.js";
import { ALIKE, LEVELS, MISSING } from "./colours.js";
import { radiusOf } from "./frames.js";

export const MOST_OF_FEW = 20000;
const OPACITY = 0.75;

export function paintFew(m, ratio) {
  const { view, theme, x, y } = m;
  fitCanvas(m.crowd, view, ratio);
  const context = m.crowd.getContext("2d", { alpha: false });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, view.width, view.height);
  context.globalAlpha = OPACITY;
  const side = 2 * Math.max(1, radiusOf(m, view));
  const colourOf = coloursOf(m);
  for (let k = 0; k < Math.min(x.length, MOST_OF_FEW); k++) {
    const [sx, sy] = [screenX(view, x[k]), screenY(view, y[k])];
    if (!(sx > -side && sy > -side && sx < view.width + side && sy < view.height + side)) continue;
    context.fillStyle = colourOf(k);
    context.fillRect(sx - side / 2, sy - side / 2, side, side);
  }
  return false;
}

function coloursOf({ palette, codes }) {
  const colours = palette.colours.map(hex);
  const missing = hex(palette.missing);
  if (palette.mode === ALIKE || !codes) return () => colours[0];
  if (palette.mode === LEVELS) return (k) => colours[codes[k]] ?? missing;
  return (k) => (codes[k] === MISSING ? missing : colours[(codes[k] * (colours.length - 1)) >> 16]);
}
