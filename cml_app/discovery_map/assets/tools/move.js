// Moving the map about.

import { addTool } from "../toolbox.js";
import { pan, tap } from "../gestures.js";
import { fitView } from "../render.js";
import { isFull } from "../full_screen.js";

addTool({
  name: "move",
  label: "Move",
  title: "Move the map",
  key: "m",
  icon: [
    [
      "path",
      {
        d:
          "M10 2v16M2 10h16M7.5 4.5 10 2l2.5 2.5M7.5 15.5 10 18l2.5-2.5" +
          "M4.5 7.5 2 10l2.5 2.5M15.5 7.5 18 10l-2.5 2.5",
      },
    ],
  ],
  hint: () =>
    matchMedia("(pointer: coarse)").matches
      ? "Two fingers move and zoom the map."
      : "Drag to move, scroll or pinch to zoom, double-click to see all.",
  cursor: "grab",
  scrollsPage: true,
  // One finger scrolls the page, unless the map is all there is.
  begin: (m, p) => (p.touch && !isFull(m) ? tap(m) : pan(m, p)),
  doubleClick: fitView,
});
