// A map without card, legend and toolbar.

import { placeGrips } from "./grips.js";
import { showShepard } from "./shepard.js";

// As a share of how far the map reaches: nearer than this it is where it was put down.
const SAME_PLACE = 1e-9;

export function furnishBare(m, d) {
  m.announce = () => {};
  m.leavesWheel = true;
  // With every frame that is painted.
  const follow = () => {
    if (!d.data) return;
    placeGrips(d);
    showShepard(d);
  };
  m.card = { show() {}, hide() {}, follow };
  m.legend = { open: false, refresh() {}, settle() {} };
  m.toolbar = { refresh() {} };
  m.send = () => {};
  m.tool = "hand";
}

// What the map is to show, and the way there; places that came back as they were sent stay.
export function scenesOf(d, data) {
  const scene = {
    ...data,
    cards: { names: [], rows: [] },
    ends: [],
    directions: [],
    newcomers: [],
    unit: "",
    tools: ["hand"],
    tool: "hand",
    selected: [],
    drawing: null,
    revision: 0,
  };
  const { x, y } = d.m.index;
  if (sameWithin(data.x, x) && sameWithin(data.y, y)) {
    return [{ ...scene, x: Array.from(x), y: Array.from(y) }, []];
  }
  const still = d.played === data.map_id;
  d.played = data.map_id;
  return [scene, still ? [] : data.way];
}

function sameWithin(a, b) {
  if (a.length !== b.length) return false;
  const reach = Math.max(...a.map(Math.abs), 1e-300);
  return a.every((value, i) => Math.abs(value - b[i]) <= SAME_PLACE * reach);
}
