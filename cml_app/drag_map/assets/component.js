// The component: Streamlit calls it whenever there are other places, or anything else has changed.

import { announcer } from "../../discovery_map/assets/announcer.js";
import { closeMap, openMap, showScene } from "../../discovery_map/assets/map.js";
import { mounting } from "../../discovery_map/assets/mounted.js";
import { relabel, redraw } from "../../discovery_map/assets/render.js";
import "../../discovery_map/assets/colourings.js";
import "./hand.js";
import { furnishBare, scenesOf } from "./bare.js";
import { showGrips } from "./grips.js";
import { playWay, stopWay } from "./way.js";

const mounted = mounting(".drag", open, close);

export default function dragMap({ data, parentElement, setTriggerValue }) {
  const [d, leave] = mounted(parentElement);
  d.tell = (moved) => setTriggerValue("moved", moved);
  show(d, data);
  return leave;
}

function open(root) {
  const d = { root, data: null, last: -1, played: null, timer: 0 };
  d.announce = announcer(root.querySelector(":scope > [aria-live]"));
  d.m = openMap(root.querySelector(".map"), (m) => furnishBare(m, d));
  d.m.drag = d;
  d.follow = () => {
    relabel(d.m);
    redraw(d.m);
  };
  d.sizes = new ResizeObserver(d.m.card.follow);
  d.sizes.observe(root);
  return d;
}

function close(d) {
  stopWay(d);
  d.sizes.disconnect();
  closeMap(d.m);
}

function show(d, data) {
  const before = d.data;
  d.data = data;
  const elsewhere = before && before.map_id.split("#")[0] !== data.map_id.split("#")[0];
  if (!before || elsewhere) d.last = -1;
  stopWay(d);
  const [scene, way] = scenesOf(d, data);
  if (way.length) playWay(d, scene, way);
  else showScene(d.m, scene);
  showGrips(d);
  redraw(d.m);
}
