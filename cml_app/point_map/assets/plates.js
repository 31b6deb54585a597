// In a crowd a ring says whose a label is, and a plate keeps the crowd from its letters.

import { labelBox, onStage } from "../../discovery_map/assets/labels.js";
import { circle, path } from "../../discovery_map/assets/marks.js";
import { toScreen } from "../../discovery_map/assets/view.js";

const SOLID = 0.72;
const AROUND_LETTERS = 3;
const AROUND_OBJECT = 1.5;

export function plateMarks({ view, x, y, labels, theme, radius }) {
  return labels
    .filter(({ anchor }) => onStage(anchor, view, x, y))
    .flatMap((label) => {
      const { anchor, opacity = 1 } = label;
      const box = labelBox(label, view, x, y);
      const ring = circle(...toScreen(view, [x[anchor], y[anchor]]), radius + AROUND_OBJECT);
      const closed = true;
      return [
        plateBehind(box, theme, opacity),
        path([ring], { stroke: theme.background, width: 4, opacity, closed }),
        path([ring], { stroke: theme.text, width: 1.5, opacity, closed }),
      ];
    });
}

export function plateBehind(box, theme, opacity = 1) {
  const look = { fill: theme.background, fillOpacity: SOLID * opacity, closed: true };
  return path([corners(box)], look);
}

function corners({ left, top, width, height }) {
  const [from, to] = [left - AROUND_LETTERS, left + width];
  return [
    [from, top],
    [to, top],
    [to, top + height],
    [from, top + height],
  ];
}
