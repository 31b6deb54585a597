// Gliding: objects move from where they were to where they are now, and the view with them.

import { viewBetween } from "./view.js";

export const GLIDE = 600;
export const REFIT = 250;
const STILL = "(prefers-reduced-motion: reduce)";

export function motionWanted() {
  return !matchMedia(STILL).matches;
}

// from, to: {view, x, y, labels}, told of the same objects in the same order.
// arriving: marks objects that were not there before.
export function startMotion(m, from, to, duration, arriving = null) {
  m.motion = { from, to, duration, arriving, start: null };
}

// Puts the map where it is to be at time `now`; tells whether it is still moving.
export function stepMotion(m, now) {
  const { motion } = m;
  if (!motion) return false;
  motion.start ??= now;
  const t = Math.min(1, (now - motion.start) / motion.duration);
  if (t >= 1) {
    finishMotion(m);
    return false;
  }
  const share = eased(t);
  m.view = viewBetween(motion.from.view, motion.to.view, share);
  if (motion.from.x !== motion.to.x) {
    m.x = between(motion.from.x, motion.to.x, share);
    m.y = between(motion.from.y, motion.to.y, share);
  }
  m.labels = labelsBetween(motion.from.labels, motion.to.labels, share);
  m.arrival = share;
  return true;
}

export function finishMotion(m) {
  if (!m.motion) return;
  const { view, x, y, labels } = m.motion.to;
  Object.assign(m, { view, x, y, labels, motion: null });
}

function eased(t) {
  return t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2;
}

function between(from, to, t) {
  return Float64Array.from(to, (value, i) => from[i] + t * (value - from[i]));
}

// A label that stays is carried along; others fade out before the new ones fade in.
function labelsBetween(before, after, t) {
  const known = new Map(before.map((label) => [`${label.anchor} ${label.text}`, label]));
  const shown = after.map((label) => {
    const old = known.get(`${label.anchor} ${label.text}`);
    if (!old) return { ...label, opacity: Math.max(0, 2 * t - 1) };
    known.delete(`${label.anchor} ${label.text}`);
    const [dx, dy] = [old.dx + t * (label.dx - old.dx), old.dy + t * (label.dy - old.dy)];
    return { ...label, dx, dy };
  });
  const leaving = Array.from(known.values(), (label) => ({
    ...label,
    opacity: Math.max(0, 1 - 2 * t),
  }));
  return [...leaving, ...shown];
}
