// The legend on the screen: collapsible text in the corner where it covers the fewest objects.

import { colouringNamed } from "./palette.js";
import { screenX, screenY } from "./view.js";
import { showMarks } from "./svg.js";

const CORNERS = ["bottom-left", "bottom-right", "top-left", "top-right"];
const MARGIN = 10;
const MOST_COUNTED = 20000;
// Narrower stages are those of telephones.
export const SMALL_STAGE = 480;

export function makeLegend(m, element) {
  const name = element.querySelector("summary");
  const body = element.querySelector(".legend-body");
  let told = "";
  let corner = CORNERS[0];
  return {
    // Another colouring, or another theme.
    refresh() {
      const { legend } = m.colouring;
      element.hidden = !legend;
      const telling = JSON.stringify([legend, m.theme]);
      if (!legend || telling === told) return;
      // Opened or closed by the visitor, it stays so.
      if (!told) element.open = m.stage.clientWidth >= SMALL_STAGE;
      told = telling;
      name.textContent = legend.name;
      body.replaceChildren(...legendParts(legend));
    },
    // `view` is where the objects will be seen; a corner is left only for an emptier one.
    settle(view, radius) {
      m.legendBox = null;
      if (element.hidden || !view.width) return;
      const size = [element.offsetWidth, element.offsetHeight];
      const count = (which) => objectsUnder(m, view, radius, legendBox(which, size, view));
      const best = CORNERS.reduce((a, b) => (count(b) < count(a) ? b : a), corner);
      corner = best;
      element.dataset.corner = corner;
      m.legendBox = legendBox(corner, size, view);
    },
    get open() {
      return !element.hidden && element.open;
    },
  };
}

function legendBox(corner, [width, height], view) {
  const left = corner.endsWith("left") ? MARGIN : view.width - MARGIN - width;
  const top = corner.startsWith("top") ? MARGIN : view.height - MARGIN - height;
  return { left, top, right: left + width, bottom: top + height };
}

function objectsUnder(m, view, radius, box) {
  const { x, y } = m.index;
  const step = Math.ceil(x.length / MOST_COUNTED);
  let count = 0;
  for (let i = 0; i < x.length; i += step) {
    const [sx, sy] = [screenX(view, x[i]), screenY(view, y[i])];
    const across = sx > box.left - radius && sx < box.right + radius;
    if (across && sy > box.top - radius && sy < box.bottom + radius) count += 1;
  }
  return count;
}

export function legendParts(legend) {
  const missing = legend.missing ? [entry("missing", legend.missing)] : [];
  return [...colouringNamed(legend.kind).parts(legend), ...missing];
}

export function entry(label, style) {
  const row = made("p", "entry");
  const sample = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  sample.setAttribute("viewBox", "0 0 16 16");
  sample.setAttribute("aria-hidden", "true");
  showMarks(sample, [{ kind: "dot", x: 8, y: 8, radius: 5, style }]);
  const text = made("span", "", label);
  text.dir = "auto";
  text.title = label;
  row.append(sample, text);
  return row;
}

// Of a ramp, as many colours as a gradient in CSS needs.
export function everyEighth(ramp) {
  return ramp.filter((_, k) => k % 8 === 0 || k === ramp.length - 1).join(", ");
}

export function made(tag, className, text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}
