// A picture of exactly what is shown, with all objects and twice as many pixels.

import { save, shownLegend } from "../../discovery_map/assets/export.js";
import { paintMarks } from "../../discovery_map/assets/canvas.js";
import { picture, redraw } from "../../discovery_map/assets/render.js";
import { drawingMarks } from "../../discovery_map/assets/toolbox.js";
import { marksAbove, paintAll } from "./frames.js";
import { paintNewcomers } from "./newcomers.js";

const PIXELS = 2;

export function savePicture(m) {
  const { width, height } = m.view;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * PIXELS);
  canvas.height = Math.round(height * PIXELS);
  const context = canvas.getContext("2d");
  if (m.painter) {
    m.crowd.width = canvas.width;
    m.crowd.height = canvas.height;
    paintAll(m, PIXELS, canvas.width, canvas.height);
  } else m.paintFew(m, PIXELS);
  context.drawImage(m.crowd, 0, 0, canvas.width, canvas.height);
  paintNewcomers(m, context, PIXELS);
  context.scale(PIXELS, PIXELS);
  paintMarks(context, [
    ...marksAbove(m),
    ...drawingMarks({ ...picture(m), tool: null }),
    ...shownLegend(m),
  ]);
  canvas.toBlob((blob) => blob && save(m, blob, "png"), "image/png");
  redraw(m);
}
