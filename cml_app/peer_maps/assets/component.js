// The component: Streamlit calls it whenever there is another picture, or anything else has
// changed. One object `grid` holds what all its panels share.

import { announcer } from "../../discovery_map/assets/announcer.js";
import "../../discovery_map/assets/tools/move.js";
import "../../discovery_map/assets/tools/select.js";
import "../../discovery_map/assets/colourings.js";
import { closeGrid, openGrid, showGrid } from "./grid.js";

const grids = new WeakMap();

export default function peerMaps({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".grid");
  let grid = grids.get(parentElement);
  if (grid?.root !== root) {
    if (grid) closeGrid(grid);
    grid = openGrid(root, announcer(root.querySelector("[aria-live]")));
    grids.set(parentElement, grid);
  }
  grid.send = (state) => setStateValue("grid", state);
  grid.ask = (what) => setTriggerValue("asked", what);
  showGrid(grid, data);
  return () => {
    closeGrid(grid);
    grids.delete(parentElement);
  };
}
