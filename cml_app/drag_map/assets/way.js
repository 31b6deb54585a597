// The way of a descent, step by step: objects pass through all places on it before they rest.

import { finishMotion, motionWanted } from "../../discovery_map/assets/motion.js";
import { showScene } from "../../discovery_map/assets/map.js";
import { boundsOf, fittedView } from "../../discovery_map/assets/view.js";

// In milliseconds, however many steps there are.
const WHOLE_WAY = 1600;

export function playWay(d, scene, way) {
  const [begin] = way;
  const { m } = d;
  if (!motionWanted()) {
    showScene(m, scene);
    return;
  }
  showScene(m, { ...scene, map_id: `${scene.map_id} begins`, x: begin[0], y: begin[1] });
  finishMotion(m);
  const all = boundsOf(
    way.flatMap(([x]) => x),
    way.flatMap(([, y]) => y),
  );
  m.view = fittedView(all, m.view.width, m.view.height);
  const start = performance.now();
  const step = (now) => {
    const share = Math.min(1, Math.max(0, now - start) / WHOLE_WAY);
    const place = share * (way.length - 1);
    const k = Math.min(Math.floor(place), way.length - 2);
    const t = place - k;
    for (let i = 0; i < m.x.length; i++) {
      m.x[i] = way[k][0][i] + t * (way[k + 1][0][i] - way[k][0][i]);
      m.y[i] = way[k][1][i] + t * (way[k + 1][1][i] - way[k][1][i]);
    }
    d.follow();
    if (share < 1) d.timer = requestAnimationFrame(step);
    else {
      d.timer = 0;
      showScene(m, scene);
      d.follow();
    }
  };
  d.timer = requestAnimationFrame(step);
}

// What comes meanwhile puts the objects where they belong.
export function stopWay(d) {
  cancelAnimationFrame(d.timer);
  d.timer = 0;
}
