// Which objects are near a place: a grid of cells over the map, built once per arrangement.

const MOST_CELLS_ASIDE = 128;

export function makeIndex(x, y, bounds) {
  const side = Math.max(1, Math.min(MOST_CELLS_ASIDE, Math.ceil(Math.sqrt(x.length / 2))));
  const index = {
    x,
    y,
    side,
    left: bounds.left,
    bottom: bounds.bottom,
    cellWidth: (bounds.right - bounds.left) / side || 1,
    cellHeight: (bounds.top - bounds.bottom) / side || 1,
    starts: new Int32Array(side * side + 1),
    members: new Int32Array(x.length),
  };
  const cell = Int32Array.from(x, (_, i) => row(index, y[i]) * side + column(index, x[i]));
  for (const c of cell) index.starts[c + 1] += 1;
  for (let c = 0; c < side * side; c++) index.starts[c + 1] += index.starts[c];
  const next = index.starts.slice();
  cell.forEach((c, i) => (index.members[next[c]++] = i));
  return index;
}

// Calls visit(i) for the objects in a rectangle until one call returns true; tells whether one did.
export function visitRectangle(index, left, right, bottom, top, visit) {
  const { x, y, side, starts, members } = index;
  const [firstColumn, lastColumn] = [column(index, left), column(index, right)];
  const [firstRow, lastRow] = [row(index, bottom), row(index, top)];
  for (let r = firstRow; r <= lastRow; r++) {
    // Cells of a row lie side by side in memory.
    const end = starts[r * side + lastColumn + 1];
    for (let k = starts[r * side + firstColumn]; k < end; k++) {
      const i = members[k];
      if (x[i] < left || x[i] > right || y[i] < bottom || y[i] > top) continue;
      if (visit(i)) return true;
    }
  }
  return false;
}

// The object nearest to (x, y) and no further than `reach`, or -1; of equals the first.
export function nearestObject(index, x, y, reach) {
  let best = -1;
  let least = reach * reach;
  visitRectangle(index, x - reach, x + reach, y - reach, y + reach, (i) => {
    const square = (index.x[i] - x) ** 2 + (index.y[i] - y) ** 2;
    if (square < least || (square === least && (best < 0 || i < best))) {
      least = square;
      best = i;
    }
    return false;
  });
  return best;
}

function column(index, x) {
  const c = Math.floor((x - index.left) / index.cellWidth);
  return Math.max(0, Math.min(index.side - 1, c));
}

function row(index, y) {
  const r = Math.floor((y - index.bottom) / index.cellHeight);
  return Math.max(0, Math.min(index.side - 1, r));
}
