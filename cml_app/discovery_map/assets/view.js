// The view: where on the screen a place of the map is. One scale serves both axes, always.
// A view {cx, cy, scale, width, height} is a value: every function here returns a new one.

const FURTHEST_OUT = 0.2;
const FURTHEST_IN = 5000;
// The middle of the stage stays so near to the objects, as a share of the stage.
const FURTHEST_OFF = 0.25;
// At each side in pixels, but no more than a share of the stage.
const FOR_LABELS = { across: [100, 0.17], up: [48, 0.12] };

// Objects without a place (NaN) are not drawn, and not looked for.
export function boundsOf(x, y) {
  const bounds = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i])) continue;
    bounds.left = Math.min(bounds.left, x[i]);
    bounds.right = Math.max(bounds.right, x[i]);
    bounds.bottom = Math.min(bounds.bottom, y[i]);
    bounds.top = Math.max(bounds.top, y[i]);
  }
  return x.length ? bounds : { left: -1, right: 1, bottom: -1, top: 1 };
}

// The view that shows everything and leaves room at the sides.
export function fittedView(bounds, width, height, margin = FOR_LABELS) {
  const room = (size, [most, share]) => Math.max(1, size - 2 * Math.min(most, size * share));
  const scale = Math.min(
    room(width, margin.across) / (bounds.right - bounds.left),
    room(height, margin.up) / (bounds.top - bounds.bottom),
  );
  return {
    cx: (bounds.left + bounds.right) / 2,
    cy: (bounds.bottom + bounds.top) / 2,
    // Where all objects lie in one place any scale shows them.
    scale: Number.isFinite(scale) && scale > 0 ? scale : Math.min(width, height) / 4 || 1,
    width,
    height,
  };
}

export function screenX(view, x) {
  return view.width / 2 + (x - view.cx) * view.scale;
}

export function screenY(view, y) {
  return view.height / 2 - (y - view.cy) * view.scale;
}

export function toScreen(view, [x, y]) {
  return [screenX(view, x), screenY(view, y)];
}

export function toMap(view, [sx, sy]) {
  return [
    view.cx + (sx - view.width / 2) / view.scale,
    view.cy - (sy - view.height / 2) / view.scale,
  ];
}

export function panned(view, dx, dy) {
  return { ...view, cx: view.cx - dx / view.scale, cy: view.cy + dy / view.scale };
}

// The same view, but not so far off that no object could be seen.
export function heldBy(bounds, view) {
  const [mx, my] = [view.width, view.height].map((size) => (FURTHEST_OFF * size) / view.scale);
  const held = (place, least, most) => Math.max(least, Math.min(most, place));
  return {
    ...view,
    cx: held(view.cx, bounds.left - mx, bounds.right + mx),
    cy: held(view.cy, bounds.bottom - my, bounds.top + my),
  };
}

// Zoomed by a factor so that what is at [sx, sy] on the screen stays there.
export function zoomed(view, factor, [sx, sy], fitScale, furthestIn = FURTHEST_IN) {
  const scale = Math.max(
    fitScale * FURTHEST_OUT,
    Math.min(fitScale * furthestIn, view.scale * factor),
  );
  const [x, y] = toMap(view, [sx, sy]);
  return {
    ...view,
    scale,
    cx: x - (sx - view.width / 2) / scale,
    cy: y + (sy - view.height / 2) / scale,
  };
}

// The same part of the map on a stage of another size.
export function resized(view, width, height) {
  const ratio = Math.min(width / view.width, height / view.height) || 1;
  return { ...view, width, height, scale: view.scale * ratio };
}

export function viewBetween(from, to, t) {
  const scale = from.scale * (to.scale / from.scale) ** t;
  // The centre moves with what is magnified, so that the way looks straight.
  const gained = (other) => 1 - from.scale / other;
  const same = Math.abs(gained(to.scale)) < 1e-6;
  const share = same ? t : gained(scale) / gained(to.scale);
  return {
    ...to,
    scale,
    cx: from.cx + share * (to.cx - from.cx),
    cy: from.cy + share * (to.cy - from.cy),
  };
}

// The distance between grid lines: 1, 2 or 5 times a power of ten, some 90 to 220 pixels.
export function gridStep(scale) {
  const wanted = 90 / scale;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= wanted);
}
