// The component: Streamlit calls it when the map appears and whenever its data or the theme
// change.

import { announcer } from "./announcer.js";
import { makeCard } from "./card.js";
import { makeFinder } from "./finding.js";
import { listenToFullScreen } from "./full_screen.js";
import { makeLegend } from "./legend.js";
import { closeMap, openMap, relegend, showScene } from "./map.js";
import { mounting } from "./mounted.js";
import { makeToolbar } from "./toolbar.js";
import "./tools.js";
import "./colourings.js";

const ENTRY = "map";

const mounted = mounting(".map", (root) => openMap(root, furnish), closeMap);

export default function discoveryMap({ data, parentElement, setStateValue }) {
  const [m, leave] = mounted(parentElement);
  m.send = (state) => setStateValue(ENTRY, state);
  showScene(m, data);
  return leave;
}

// What stands around the stage and upon it.
function furnish(m, signal) {
  const { root } = m;
  const legend = root.querySelector(".legend");
  m.announce = announcer(root.querySelector("[aria-live]"));
  m.card = makeCard(m, root.querySelector(".card"));
  m.legend = makeLegend(m, legend);
  m.toolbar = makeToolbar(m, signal);
  makeFinder(m, signal);
  listenToFullScreen(m, signal);
  legend.addEventListener("toggle", () => relegend(m), { signal });
}
