// The component: Streamlit calls it whenever there is another picture, or anything else has
// changed. One object `grid` holds what all its panels share.

import { announcer } from "../../discovery_map/assets/announcer.js";
import { mounting } from "../../discovery_map/assets/mounted.js";
import "../../discovery_map/assets/tools/move.js";
import "../../discovery_map/assets/tools/select.js";
import "../../discovery_map/assets/colourings.js";
import { closeGrid, openGrid, showGrid } from "./grid.js";

const mounted = mounting(
  ".grid",
  (root) => openGrid(root, announcer(root.querySelector("[aria-live]"))),
  closeGrid,
);

export default function peerMaps({ data, parentElement, setStateValue, setTriggerValue }) {
  const [grid, leave] = mounted(parentElement);
  grid.send = (state) => setStateValue("grid", state);
  grid.ask = (what) => setTriggerValue("asked", what);
  showGrid(grid, data);
  return leave;
}
