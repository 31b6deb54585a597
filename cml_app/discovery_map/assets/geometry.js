// Plane geometry on points [x, y]; knows nothing of screens or maps.

export function distance(a, b) {
  return Math.hypot(b[0] - a[0], b[1] - a[1]);
}

export function pathLength(points) {
  let length = 0;
  for (let i = 1; i < points.length; i++) length += distance(points[i - 1], points[i]);
  return length;
}

// Whether a point lies in a polygon that may cross itself (even-odd rule).
export function insidePolygon(polygon, x, y) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

// How far along from a (0) to b (1) the foot of a point is; beyond them where it lies beyond.
export function shareAlong(a, b, x, y) {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const square = dx * dx + dy * dy;
  return square ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
}

export function pointAlong(a, b, t) {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
}

function footOnSegment(a, b, x, y) {
  return pointAlong(a, b, Math.max(0, Math.min(1, shareAlong(a, b, x, y))));
}

export function footOnPath(points, closed, x, y) {
  let best = points[0];
  let least = Infinity;
  const last = closed ? points.length : points.length - 1;
  for (let i = 0; i < last; i++) {
    const foot = footOnSegment(points[i], points[(i + 1) % points.length], x, y);
    const square = (foot[0] - x) ** 2 + (foot[1] - y) ** 2;
    if (square < least) {
      least = square;
      best = foot;
    }
  }
  return best;
}

// Points so that none of those left out lies further than `tolerance` from the line
// (Ramer, Douglas and Peucker).
export function thinned(points, tolerance) {
  if (points.length < 3) return points;
  const keep = new Uint8Array(points.length);
  keep[0] = keep[points.length - 1] = 1;
  const open = [[0, points.length - 1]];
  while (open.length) {
    const [first, last] = open.pop();
    let worst = tolerance;
    let at = -1;
    for (let i = first + 1; i < last; i++) {
      const foot = footOnSegment(points[first], points[last], ...points[i]);
      const off = distance(foot, points[i]);
      if (off > worst) {
        worst = off;
        at = i;
      }
    }
    if (at < 0) continue;
    keep[at] = 1;
    open.push([first, at], [at, last]);
  }
  return points.filter((_, i) => keep[i]);
}

// The same line with points about every `spacing`.
export function resampled(points, spacing) {
  const total = pathLength(points);
  const count = Math.max(2, Math.round(total / spacing) + 1);
  const out = [points[0]];
  let i = 1;
  let passed = 0;
  for (let k = 1; k < count - 1; k++) {
    const wanted = (total * k) / (count - 1);
    let step = distance(points[i - 1], points[i]);
    while (passed + step < wanted && i < points.length - 1) {
      passed += step;
      i += 1;
      step = distance(points[i - 1], points[i]);
    }
    const t = step ? (wanted - passed) / step : 0;
    out.push(pointAlong(points[i - 1], points[i], t));
  }
  out.push(points[points.length - 1]);
  return out;
}

// A moving average along the line; the ends of an open line stay where they were put.
export function steadied(points, reach, closed) {
  const n = points.length;
  return points.map((_, i) => {
    const room = closed ? reach : Math.min(reach, i, n - 1 - i);
    let x = 0;
    let y = 0;
    for (let k = -room; k <= room; k++) {
      const other = points[(i + k + n) % n];
      x += other[0];
      y += other[1];
    }
    return [x / (2 * room + 1), y / (2 * room + 1)];
  });
}

// A smooth line through all knots (Catmull and Rom), with points about every `spacing`.
export function splined(knots, closed, spacing) {
  const n = knots.length;
  if (n < 3) return knots.slice();
  const at = (i) => (closed ? knots[(i + n) % n] : knots[Math.max(0, Math.min(n - 1, i))]);
  const out = [knots[0]];
  const spans = closed ? n : n - 1;
  for (let i = 0; i < spans; i++) {
    const four = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    const steps = Math.max(2, Math.ceil(distance(four[1], four[2]) / spacing));
    for (let k = 1; k <= steps; k++) out.push(onSpline(four, k / steps));
  }
  if (closed) out.pop();
  return out;
}

function onSpline([a, b, c, d], t) {
  return [0, 1].map((axis) => {
    const [p, q, r, s] = [a[axis], b[axis], c[axis], d[axis]];
    const bend = 2 * p - 5 * q + 4 * r - s;
    const twist = 3 * q - p - 3 * r + s;
    return 0.5 * (2 * q + (r - p) * t + bend * t * t + twist * t * t * t);
  });
}
