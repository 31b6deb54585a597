// Maps beside one another: what is pointed at, looked at or selected on one is so on all.

const OPEN = new Set();

export function join(m, signal) {
  OPEN.add(m);
  signal.addEventListener("abort", () => OPEN.delete(m));
}

// Calls act(other, objects) for each other map that has any of these objects, found by name.
export function onOthers(m, objects, act) {
  for (const other of OPEN) {
    if (other === m) continue;
    const places = new Map(other.scene.labels.map((label, i) => [label, i]));
    const there = objects.map((i) => places.get(m.scene.labels[i])).filter((i) => i !== undefined);
    if (there.length || !objects.length) act(other, there);
  }
}
