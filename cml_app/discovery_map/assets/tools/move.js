// Moving the map about.

import { addTool } from "../toolbox.js";
import { pan } from "../gestures.js";

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
  hint: () => "Drag to move, scroll or pinch to zoom.",
  cursor: "grab",
  begin: pan,
});
