// Where all objects are, as typed arrays in the order in which they travel: of the slots, any
// first ones are a fair sample of all.

const STEPS = 65535;

export function makeCloud(count, stride) {
  const inverse = inverseOf(stride, count);
  return {
    count,
    x: new Float32Array(count).fill(NaN),
    y: new Float32Array(count).fill(NaN),
    // How many have a place, and up to which slot all of them that will.
    placed: 0,
    box: null,
    // The widest step between two places that were sent as whole numbers.
    step: 0,
    version: 0,
    objectAt: (slot) => (slot * stride) % count,
    slotOf: (object) => (object * inverse) % count,
  };
}

// The number of bytes that a part takes.
export function sizeOfPart({ count, all, kind }) {
  return count * ((all ? 0 : 4) + 2 * bytesOf(kind));
}

// Puts the places `from` … `to` of a part where they belong. `bytes` may still be filling.
export function placePart(cloud, part, bytes, from, to) {
  const { count, all, kind, box } = part;
  const [left, right, bottom, top] = box;
  const start = all ? 0 : 4 * count;
  const slots = all ? null : new Uint32Array(bytes.buffer, 0, count);
  const size = 2 * bytesOf(kind);
  const numbers = new (kind === "uint16" ? Uint16Array : Float32Array)(
    bytes.buffer,
    start + from * size,
    2 * (to - from),
  );
  const unit = kind === "uint16" ? STEPS : 1;
  const [across, up] = [(right - left) / unit, (top - bottom) / unit];
  for (let k = from; k < to; k++) {
    const slot = all ? k : slots[k];
    cloud.x[slot] = left + across * numbers[2 * (k - from)];
    cloud.y[slot] = bottom + up * numbers[2 * (k - from) + 1];
  }
  cloud.placed += to - from;
  cloud.version += 1;
  cloud.box = around(cloud.box, box);
  if (unit > 1) cloud.step = Math.max(cloud.step, across, up);
}

// How many whole places of a part are among its first bytes.
export function placesIn({ count, all, kind }, bytes) {
  const start = all ? 0 : 4 * count;
  return Math.max(0, Math.floor((bytes - start) / (2 * bytesOf(kind))));
}

function bytesOf(kind) {
  return kind === "uint16" ? 2 : 4;
}

function around(a, [left, right, bottom, top]) {
  if (!a) return { left, right, bottom, top };
  return {
    left: Math.min(a.left, left),
    right: Math.max(a.right, right),
    bottom: Math.min(a.bottom, bottom),
    top: Math.max(a.top, top),
  };
}

// The number that undoes a stride (Euclid's algorithm, extended).
function inverseOf(stride, count) {
  if (count < 2) return 0;
  let [a, b, u, v] = [stride % count, count, 1, 0];
  while (b) {
    const q = Math.floor(a / b);
    [a, b, u, v] = [b, a - q * b, v, u - q * v];
  }
  return ((u % count) + count) % count;
}
