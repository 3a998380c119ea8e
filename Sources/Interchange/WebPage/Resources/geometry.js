// Plane geometry in units of the sheet, y down. A point is [x, y, …], a box [left, top, right, bottom].

/** A function of an object that never changes, worked out once for each object. */
function remembered(work) {
  const known = new WeakMap();
  return key => {
    if (!known.has(key)) known.set(key, work(key));
    return known.get(key);
  };
}

/**
 * The part [from, to] of the segment a–b (0 at a, 1 at b) within `radius` of the segment p–q, or null.
 * What lies within the radius is convex (two circles and the rectangle between), so that the part is one interval.
 */
function partNear(a, b, p, q, radius) {
  const dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  let from = 2, to = -1;
  const include = (start, end) => {
    if (!(start <= end && end >= 0 && start <= 1)) return;
    from = Math.min(from, Math.max(0, start));
    to = Math.max(to, Math.min(1, end));
  };
  for (const centre of [p, q]) {
    const ex = a[0] - centre[0], ey = a[1] - centre[1];
    const half = ex * dx + ey * dy, rest = ex * ex + ey * ey - radius * radius;
    const root = Math.sqrt(half * half - square * rest);
    if (square > 0) include((-half - root) / square, (-half + root) / square);
    else if (rest <= 0) include(0, 1);
  }
  const ux = q[0] - p[0], uy = q[1] - p[1], length = Math.hypot(ux, uy);
  if (length > 0) {
    let start = 0, end = 1;
    const clip = (value, slope, low, high) => {
      if (slope === 0) {
        if (value < low || value > high) end = -1;
        return;
      }
      const first = (low - value) / slope, second = (high - value) / slope;
      start = Math.max(start, Math.min(first, second));
      end = Math.min(end, Math.max(first, second));
    };
    const ex = a[0] - p[0], ey = a[1] - p[1];
    clip((ex * ux + ey * uy) / length, (dx * ux + dy * uy) / length, 0, length);
    clip((ex * uy - ey * ux) / length, (dx * uy - dy * ux) / length, -radius, radius);
    include(start, end);
  }
  return from <= to ? [from, to] : null;
}

/** Whether the point lies within the polygon, by the even-odd rule. */
function isInside([x, y], polygon) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[i], [bx, by] = polygon[j];
    if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** The smallest box around all of the boxes, or null without any. */
function unionOf(boxes) {
  let union = null;
  for (const [left, top, right, bottom] of boxes) {
    union = union ? [Math.min(union[0], left), Math.min(union[1], top), Math.max(union[2], right),
      Math.max(union[3], bottom)] : [left, top, right, bottom];
  }
  return union;
}

/** The box with a margin around it, which may be negative. */
function grown([left, top, right, bottom], margin) {
  return [left - margin, top - margin, right + margin, bottom + margin];
}

function longestSide([left, top, right, bottom]) {
  return Math.max(right - left, bottom - top);
}

function boxesMeet(a, b) {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

function boxHolds(box, [x, y]) {
  return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
}
