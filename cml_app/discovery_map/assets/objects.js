// The objects on the canvas. A crowd is painted on a sheet larger than the stage, and while
// the map is only moved about, the sheet is moved.

import { makeSprites, makeSpriteSheet, paintSprites } from "./canvas.js";
import { paintOrder, ringMark } from "./marks.js";

const CROWD = 1500;
const RING_REACH = 5;
// How far the sheet reaches beyond the stage on each side, as a share of the stage.
const BEYOND_EDGE = 0.25;

export function paintObjects(m, radius, ratio) {
  const sprites = spritesFor(m, radius, ratio);
  const restingScale = m.paintedScale === m.view.scale;
  m.paintedScale = m.view.scale;
  paintRings(m, radius, ratio);
  if (m.x.length >= CROWD && restingScale && !m.motion) showSheet(m, sprites);
  else paintSprites(m.context, sprites, placesOf(m, m.view));
}

function paintRings(m, radius, ratio) {
  const key = `${radius} ${ratio} ${m.theme.text}`;
  if (m.rings?.key !== key) {
    const ring = [ringMark(0, 0, radius, m.theme)];
    m.rings = { key, ...makeSpriteSheet([ring], radius + RING_REACH, ratio) };
  }
  paintSprites(m.context, m.rings, { view: m.view, x: m.x, y: m.y, order: m.selected });
}

function spritesFor(m, radius, ratio) {
  const { colouring } = m;
  const key = `${radius} ${ratio}`;
  if (m.sprites?.colouring !== colouring || m.sprites.key !== key) {
    m.sprites = { colouring, key, ...makeSprites(colouring.styles, radius, ratio) };
    m.order = paintOrder(colouring, m.x.length);
  }
  return m.sprites;
}

function placesOf(m, view) {
  const { arriving } = m.motion ?? {};
  return {
    view,
    x: m.x,
    y: m.y,
    order: m.order,
    styleOf: m.colouring.styleOf,
    opacityOf: arriving ? (i) => (arriving[i] ? m.arrival : 1) : null,
  };
}

function showSheet(m, sprites) {
  if (!sheetServes(m, sprites)) m.sheet = makeSheet(m, sprites);
  const { view, sheet } = m;
  const [dx, dy] = shiftOf(sheet.view, view);
  const left = (view.width - sheet.view.width) / 2 + dx;
  const top = (view.height - sheet.view.height) / 2 + dy;
  const { ratio } = sprites;
  m.context.save();
  m.context.setTransform(1, 0, 0, 1, 0, 0);
  m.context.drawImage(sheet.image, Math.round(left * ratio), Math.round(top * ratio));
  m.context.restore();
}

function makeSheet(m, sprites) {
  const grown = (size) => Math.ceil(size * (1 + 2 * BEYOND_EDGE));
  const view = { ...m.view, width: grown(m.view.width), height: grown(m.view.height) };
  const { ratio } = sprites;
  const canvas = new OffscreenCanvas(Math.ceil(view.width * ratio), Math.ceil(view.height * ratio));
  paintSprites(canvas.getContext("2d"), sprites, placesOf(m, view));
  const { width, height } = m.view;
  return { view, sprites, x: m.x, width, height, image: canvas.transferToImageBitmap() };
}

function sheetServes({ sheet, view, x }, sprites) {
  if (!sheet || sheet.sprites !== sprites || sheet.x !== x) return false;
  if (sheet.width !== view.width || sheet.height !== view.height) return false;
  if (sheet.view.scale !== view.scale) return false;
  const [dx, dy] = shiftOf(sheet.view, view);
  return Math.abs(dx) <= view.width * BEYOND_EDGE && Math.abs(dy) <= view.height * BEYOND_EDGE;
}

// How far what one view shows has moved on the screen in the other.
function shiftOf(from, to) {
  return [(from.cx - to.cx) * to.scale, (to.cy - from.cy) * to.scale];
}
