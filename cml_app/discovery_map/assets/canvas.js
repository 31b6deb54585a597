// Marks on a canvas. Objects have a quick way of their own: each style is painted once, as a
// sprite, and copied to where its objects are.

import { RIM, objectMark, rimOf, shapeOutline } from "./marks.js";
import { screenX, screenY } from "./view.js";

const SPRITES_IN_A_ROW = 32;
// From so many objects on, sprites stand on whole pixels, which is quicker to copy.
const WHOLE_PIXELS_FROM = 1500;

export function paintMarks(context, marks) {
  const paint = { path: paintPath, dot: paintDot, text: paintText, image: paintImage };
  for (const mark of marks) {
    context.globalAlpha = mark.opacity ?? 1;
    paint[mark.kind](context, mark);
  }
  context.globalAlpha = 1;
}

// A picture of each style.
export function makeSprites(styles, radius, ratio) {
  const marks = styles.map((style) => [objectMark(0, 0, radius, style)]);
  return makeSpriteSheet(marks, radius * 1.4 + 2 * RIM, ratio);
}

// lists: for each sprite, marks around (0, 0) that reach no further than `reach`.
export function makeSpriteSheet(lists, reach, ratio) {
  const cell = Math.ceil(reach * 2 * ratio) + 2;
  const rows = Math.ceil(lists.length / SPRITES_IN_A_ROW);
  const sheet = new OffscreenCanvas(cell * Math.min(lists.length, SPRITES_IN_A_ROW), cell * rows);
  const context = sheet.getContext("2d");
  lists.forEach((marks, k) => {
    const [left, top] = spriteCorner(k, cell);
    context.setTransform(ratio, 0, 0, ratio, left + cell / 2, top + cell / 2);
    paintMarks(context, marks);
  });
  return { image: sheet.transferToImageBitmap(), cell, ratio };
}

// Copies of sprites: of the objects in `order`, each in its style, if there are several.
export function paintSprites(context, sprites, { view, x, y, order, styleOf, opacityOf }) {
  const { image, cell, ratio } = sprites;
  const whole = order.length >= WHOLE_PIXELS_FROM;
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  const [right, bottom] = [view.width * ratio, view.height * ratio];
  for (let k = 0; k < order.length; k++) {
    const i = order[k];
    let px = screenX(view, x[i]) * ratio - cell / 2;
    let py = screenY(view, y[i]) * ratio - cell / 2;
    if (px < -cell || py < -cell || px > right || py > bottom) continue;
    if (whole) {
      px = Math.round(px);
      py = Math.round(py);
    }
    if (opacityOf) context.globalAlpha = opacityOf(i);
    const [left, top] = spriteCorner(styleOf ? styleOf[i] : 0, cell);
    context.drawImage(image, left, top, cell, cell, px, py, cell, cell);
  }
  context.restore();
}

function spriteCorner(k, cell) {
  return [(k % SPRITES_IN_A_ROW) * cell, Math.floor(k / SPRITES_IN_A_ROW) * cell];
}

function paintPath(context, mark) {
  context.beginPath();
  for (const line of mark.lines) {
    line.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    if (mark.closed) context.closePath();
  }
  const opacity = mark.opacity ?? 1;
  if (mark.fill !== "none") {
    context.globalAlpha = opacity * (mark.fillOpacity ?? 1);
    context.fillStyle = mark.fill;
    context.fill();
  }
  if (mark.stroke === "none") return;
  context.globalAlpha = opacity * (mark.strokeOpacity ?? 1);
  context.strokeStyle = mark.stroke;
  context.lineWidth = mark.width;
  context.lineCap = mark.cap ?? "butt";
  context.lineJoin = mark.join ?? "miter";
  context.setLineDash(mark.dash ?? []);
  context.stroke();
}

function paintImage(context, { image, x, y, width, height }) {
  context.imageSmoothingQuality = "high";
  context.drawImage(image, x, y, width, height);
}

function paintDot(context, { x, y, radius, style }) {
  const outline = () => {
    context.beginPath();
    if (style.shape === "circle") context.arc(x, y, radius, 0, 2 * Math.PI);
    else shapeOutline(style.shape, x, y, radius).forEach((corner) => context.lineTo(...corner));
    context.closePath();
  };
  outline();
  context.setLineDash([]);
  context.lineJoin = "round";
  context.strokeStyle = style.halo;
  context.lineWidth = 3 * rimOf(radius);
  context.stroke();
  context.fillStyle = style.fill;
  context.fill();
  context.strokeStyle = style.stroke;
  context.lineWidth = rimOf(radius) * (style.hollow ? 1.5 : 1);
  context.stroke();
}

function paintText(context, mark) {
  context.font = `${mark.weight ?? 400} ${mark.size}px ${mark.font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.direction = "ltr";
  if (mark.halo) {
    context.setLineDash([]);
    context.lineJoin = "round";
    context.strokeStyle = mark.halo;
    context.lineWidth = 3.5;
    context.strokeText(mark.text, mark.x, mark.y);
  }
  context.fillStyle = mark.fill;
  context.fillText(mark.text, mark.x, mark.y);
  if (mark.underlined) {
    context.fillRect(mark.x, mark.y + mark.size * 0.62, mark.underlined, 1.5);
  }
}
