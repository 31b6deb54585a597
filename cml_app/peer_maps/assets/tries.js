// What other seeds drew, as a strip of small pictures: what changes among them is not in the data.

import { boundsOf, fittedView } from "../../discovery_map/assets/view.js";
import { dotMarks } from "../../discovery_map/assets/marks.js";
import { made } from "../../discovery_map/assets/legend.js";
import { paintMarks } from "../../discovery_map/assets/canvas.js";

const WIDTH = 64;
const HEIGHT = 46;
const RADIUS = 2;

export function showTries(panel, shown, choose) {
  const strip = panel.root.querySelector(".tries");
  const { tries } = panel.told;
  strip.hidden = tries.length < 2;
  if (strip.hidden) return;
  const had = strip.contains(strip.getRootNode().activeElement);
  strip.replaceChildren(...tries.map((one) => tryButton(panel, one, one === shown, choose)));
  if (had) strip.querySelector('[aria-pressed="true"]').focus();
}

function tryButton({ m }, one, pressed, choose) {
  const button = made("button", "try");
  button.type = "button";
  button.title = `Seed ${one.seed}: ${one.objective}`;
  button.setAttribute("aria-label", button.title);
  button.setAttribute("aria-pressed", String(pressed));
  button.append(thumbnail(m, one));
  button.addEventListener("click", () => choose(one.seed));
  return button;
}

function thumbnail({ colouring, theme }, { x, y }) {
  const canvas = document.createElement("canvas");
  const ratio = window.devicePixelRatio || 1;
  canvas.width = WIDTH * ratio;
  canvas.height = HEIGHT * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const bounds = boundsOf(x, y);
  const view = fittedView(bounds, WIDTH, HEIGHT);
  paintMarks(context, dotMarks({ view, x, y, colouring, radius: RADIUS }));
  return canvas;
}
