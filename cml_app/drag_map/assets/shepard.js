// Beside the map: the stress, and every pair as it is in the data and as it is drawn.

import { dataBetween, stressInWords, stressOf } from "./numbers.js";

const PLOT_EDGE = 10;
const PLOT_FOOT = 22;

export function showShepard(d) {
  const aside = d.root.querySelector(".aside");
  const { data, m } = d;
  aside.hidden = !data.dissimilarities;
  if (aside.hidden) return;
  // While objects glide, where they will come to rest.
  const { x, y } = m.motion?.to ?? m;
  const stress = stressOf(data, x, y);
  d.root.dataset.shown = stress;
  aside.querySelector("output").textContent = stressInWords(stress);
  paint(d, { x, y }, aside.querySelector("canvas"), stress);
}

function paint({ data, m, last }, { x, y }, canvas, stress) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.setAttribute("aria-label", `Shepard diagram, stress ${stressInWords(stress)}`);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const longest = Math.max(...data.dissimilarities) * 1.15;
  const across = (value) => PLOT_FOOT + (value / longest) * (width - PLOT_FOOT - PLOT_EDGE);
  const up = (value) => height - PLOT_FOOT - (value / longest) * (height - PLOT_FOOT - PLOT_EDGE);
  axes(context, m.theme, width, height, [across(longest), up(longest)]);
  for (const own of [false, true]) {
    context.fillStyle = own ? m.theme.ink : m.theme.missing;
    context.beginPath();
    for (let i = 0; i < x.length; i++) {
      for (let j = i + 1; j < x.length; j++) {
        if ((i === last || j === last) !== own) continue;
        const far = Math.min(longest, Math.hypot(x[i] - x[j], y[i] - y[j]));
        const [px, py] = [across(dataBetween(data, i, j)), up(far)];
        context.moveTo(px + 3, py);
        context.arc(px, py, 3, 0, 2 * Math.PI);
      }
    }
    context.fill();
  }
}

function axes(context, theme, width, height, corner) {
  context.strokeStyle = theme.text;
  context.globalAlpha = 0.35;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(PLOT_FOOT, PLOT_EDGE);
  context.lineTo(PLOT_FOOT, height - PLOT_FOOT);
  context.lineTo(width - PLOT_EDGE, height - PLOT_FOOT);
  context.moveTo(PLOT_FOOT, height - PLOT_FOOT);
  context.lineTo(...corner);
  context.stroke();
  context.globalAlpha = 1;
  context.fillStyle = theme.text;
  context.font = `12px ${theme.font}`;
  context.textAlign = "right";
  context.textBaseline = "bottom";
  context.fillText("in the data", width - PLOT_EDGE, height - 3);
  context.save();
  context.translate(14, PLOT_EDGE);
  context.rotate(-Math.PI / 2);
  context.fillText("on the map", 0, 2);
  context.restore();
}
