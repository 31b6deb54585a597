// New objects on the map of very many: hollow diamonds as on the smaller map, smaller where they
// are many; the first of them have names.

import { boundsOf, toScreen } from "../../discovery_map/assets/view.js";
import { makeSpriteSheet, paintSprites } from "../../discovery_map/assets/canvas.js";
import { overlap } from "../../discovery_map/assets/labels.js";
import { textMeasure } from "../../discovery_map/assets/render.js";
import {
  HALF_A_DIAMOND,
  diamondMarks,
  newcomerBoxes,
  newcomerNames,
} from "../../discovery_map/assets/newcomers.js";
import { askAgain, fetched } from "./fetching.js";
import { plateBehind } from "./plates.js";

const BYTES_OF_ONE = 8;
// Half a diamond in pixels, of so many new objects at most.
const HALVES = [
  [200, HALF_A_DIAMOND],
  [2000, 5],
  [Infinity, 3.5],
];
const HALF_OF_FAR = 5;
const ROOM_FOR_DASHES = 4;
const LINE_HEIGHT = 1.35;

export function noNewcomers() {
  const none = new Float32Array(0);
  return { total: 0, x: none, y: none, far: 0, named: [], box: null, order: [], styleOf: [] };
}

// shown(m): there are other new objects.
export async function takeNewcomers(m, data, shown) {
  const told = data.newcomers;
  const wanted = JSON.stringify([told, data.map_id]);
  if (wanted === m.newcomersTold) return;
  m.newcomersTold = wanted;
  m.newcomersComing?.abort();
  const abort = new AbortController();
  Object.assign(m, { newcomersComing: abort, newcomersCome: Boolean(told) });
  // What is unlike where it was is nowhere until it comes.
  if (m.newcomers.x.length) {
    m.newcomers = noNewcomers();
    shown(m);
  }
  if (!told) return;
  const stillWanted = () => m.newcomersComing === abort && !m.closed;
  try {
    const bytes = await fetched(told.address, BYTES_OF_ONE * told.count, abort.signal);
    if (!stillWanted()) return;
    m.bytes = (m.bytes ?? 0) + bytes.length;
    m.newcomers = newcomersIn(told, new Float32Array(bytes.buffer));
    m.newcomersCome = false;
    shown(m);
  } catch (error) {
    if (!stillWanted()) return;
    m.newcomersTold = null;
    m.announce("The new objects could not be fetched; they are asked for again.");
    askAgain(m, stillWanted, () => takeNewcomers(m, m.scene, shown));
    console.warn(`point map: new objects: ${error.message}`);
  }
}

function newcomersIn({ count, total, far, names }, numbers) {
  const x = Float32Array.from({ length: count }, (_, k) => numbers[2 * k]);
  const y = Float32Array.from({ length: count }, (_, k) => numbers[2 * k + 1]);
  return {
    total,
    x,
    y,
    far,
    named: names.map((label, k) => ({ label, x: x[k], y: y[k] })),
    box: boundsOf(x, y),
    // Those that nothing here is like come first, and are painted last.
    order: Uint32Array.from({ length: count }, (_, k) => count - 1 - k),
    styleOf: Uint8Array.from({ length: count }, (_, k) => (k < far ? 1 : 0)),
  };
}

// What holds the map and its new objects.
export function boxWith({ newcomers }, box) {
  const own = newcomers.box;
  if (!own || !box) return box;
  return {
    left: Math.min(box.left, own.left),
    right: Math.max(box.right, own.right),
    bottom: Math.min(box.bottom, own.bottom),
    top: Math.max(box.top, own.top),
  };
}

export function paintNewcomers(m, context, ratio) {
  const { newcomers, view, theme } = m;
  const { x, y, order, styleOf } = newcomers;
  // They belong to where the objects are going.
  if (!x.length || m.coming || (m.motion && m.motion === m.glide)) return;
  const half = halfOf(newcomers);
  const key = `${half} ${ratio} ${theme.text} ${theme.background}`;
  if (m.diamonds?.key !== key) {
    const largest = Math.max(half, HALF_OF_FAR);
    const lists = [
      diamondMarks([0, 0], false, theme, half),
      diamondMarks([0, 0], true, theme, largest),
    ];
    m.diamonds = { key, ...makeSpriteSheet(lists, 1.22 * largest + ROOM_FOR_DASHES, ratio) };
  }
  paintSprites(context, m.diamonds, { view, x, y, order, styleOf });
}

// The names of the first, on plates that keep the crowd from their letters.
export function namesOfNewcomers(m) {
  const height = m.theme.fontSize * LINE_HEIGHT;
  return newcomerNames(namedApart(m, m.view)).flatMap((name) => {
    const box = { left: name.x, top: name.y - height / 2, width: name.width, height };
    return [plateBehind(box, m.theme), name];
  });
}

// Where labels of objects keep away.
export function boxesOfNewcomers(m, view) {
  return newcomerBoxes(namedApart(m, view));
}

// Of names that would lie upon one another the first.
function namedApart(m, view) {
  const shown = { view, newcomers: m.newcomers.named, theme: m.theme, measure: textMeasure(m) };
  const boxes = newcomerBoxes(shown);
  const taken = [];
  const newcomers = shown.newcomers.filter((_, k) => {
    const box = boxes[k];
    if (taken.some((other) => overlap(box, other))) return false;
    taken.push(box);
    return true;
  });
  return { ...shown, newcomers };
}

function halfOf({ x }) {
  return HALVES.find(([most]) => x.length <= most)[1];
}

// For tests.
export function newcomersSeen({ newcomers, view }) {
  const { x, y, far, named } = newcomers;
  return Array.from(x, (_, k) => ({
    label: named[k]?.label ?? "",
    at: toScreen(view, [x[k], y[k]]),
    far: k < far,
  }));
}
