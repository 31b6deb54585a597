// Which objects are near a place, of very many: a grid of cells, built in slices. It is read by
// the same functions as the index of a smaller map.

import { inSlices } from "./slices.js";

const IN_A_CELL = 2;
const MOST_ASIDE = 1024;

export function emptyIndex(x, y) {
  return gridOver(x, y, 0, { left: -1, right: 1, bottom: -1, top: 1 });
}

// null where it is no longer wanted.
export async function crowdIndex(cloud, wanted) {
  const { x, y, count, box } = cloud;
  const index = gridOver(x, y, cloud.placed, box);
  const { side, starts } = index;
  const cellOf = new Int32Array(count);
  const counted = await inSlices(
    count,
    (from, to) => {
      for (let k = from; k < to; k++) {
        cellOf[k] = Number.isNaN(x[k]) ? -1 : cell(index, x[k], y[k]);
        if (cellOf[k] >= 0) starts[cellOf[k] + 1] += 1;
      }
    },
    wanted,
  );
  if (!counted) return null;
  for (let c = 0; c < side * side; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const sorted = await inSlices(
    count,
    (from, to) => {
      for (let k = from; k < to; k++) {
        if (cellOf[k] >= 0) index.members[next[cellOf[k]]++] = k;
      }
    },
    wanted,
  );
  return sorted ? index : null;
}

function gridOver(x, y, placed, box) {
  const side = Math.max(1, Math.min(MOST_ASIDE, Math.ceil(Math.sqrt(placed / IN_A_CELL))));
  return {
    x,
    y,
    side,
    left: box.left,
    bottom: box.bottom,
    cellWidth: (box.right - box.left) / side || 1,
    cellHeight: (box.top - box.bottom) / side || 1,
    starts: new Int32Array(side * side + 1),
    members: new Int32Array(placed),
  };
}

function cell(index, x, y) {
  const last = index.side - 1;
  const c = Math.max(0, Math.min(last, Math.floor((x - index.left) / index.cellWidth)));
  const r = Math.max(0, Math.min(last, Math.floor((y - index.bottom) / index.cellHeight)));
  return r * index.side + c;
}
