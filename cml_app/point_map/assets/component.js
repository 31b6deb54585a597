// The component: Streamlit calls it when the map appears and whenever its data or the theme
// change.

import { mounting } from "../../discovery_map/assets/mounted.js";
import "../../discovery_map/assets/tools/move.js";
import "./lasso.js";
import "../../discovery_map/assets/tools/arrow.js";
import "../../discovery_map/assets/tools/curve.js";
import "../../discovery_map/assets/colourings.js";
import { closePoints, openPoints, showPoints } from "./points.js";

const ENTRY = "points";

const mounted = mounting(".points", openPoints, closePoints);

export default function pointMap({ data, parentElement, setStateValue }) {
  const [m, leave] = mounted(parentElement);
  // What a lasso encircled is a drawing here and a region in Python.
  m.send = ({ map_id, revision, tool, drawing }) => {
    const region = drawing?.kind === "lasso" ? drawing.points : null;
    const pointed = m.current < 0 ? null : m.cloud.objectAt(m.current);
    const drawn = region ? null : drawing;
    setStateValue(ENTRY, { map_id, revision, tool, drawing: drawn, region, pointed });
  };
  showPoints(m, data);
  return leave;
}
