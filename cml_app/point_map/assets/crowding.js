// How close objects lie to one another, from a sample: what their size and their tone depend on.

const SAMPLE = 200000;
// Cells along each side, and how many objects there are to be in one on average.
const MOST_ACROSS = 192;
const IN_ONE = 8;

// Objects per unit of area where a typical object is, and where the most crowded are.
export function crowdingOf({ x, y, count, placed, box }) {
  if (!placed) return { typical: 1, crowded: 1, among: 0 };
  const few = Math.min(count, SAMPLE);
  const expected = (placed * few) / count;
  const cellsAside = Math.ceil(Math.min(MOST_ACROSS, Math.sqrt(expected / IN_ONE)));
  const across = (box.right - box.left) / cellsAside || 1;
  const up = (box.top - box.bottom) / cellsAside || 1;
  const cells = new Uint32Array(cellsAside * cellsAside);
  let met = 0;
  for (let k = 0; k < few; k++) {
    if (Number.isNaN(x[k])) continue;
    const c = Math.min(cellsAside - 1, Math.floor((x[k] - box.left) / across));
    const r = Math.min(cellsAside - 1, Math.floor((y[k] - box.bottom) / up));
    cells[r * cellsAside + c] += 1;
    met += 1;
  }
  const taken = cells.filter((number) => number > 0).sort();
  const each = placed / Math.max(1, met) / (across * up);
  const at = (share) => numberAt(taken, share * met) * each;
  return { typical: at(0.5), crowded: at(0.95), among: placed };
}

// Of cells sorted by how many they hold, how many that one holds in which the object stands.
function numberAt(taken, object) {
  let passed = 0;
  for (const number of taken) {
    passed += number;
    if (passed >= object) return number;
  }
  return 1;
}
