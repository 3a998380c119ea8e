// A stroke, {tool, color, width, points: [[x, y, pressure?, milliseconds?], …]}, never changes.

const inkTools = {
  pen: { color: "#1a1a1a", width: 9, opacity: 1, pressure: true },
  marker: { color: "#e8a317", width: 24, opacity: 0.45, pressure: false },
  pencil: { color: "#5b6270", width: 3, opacity: 0.85, pressure: true },
};

/** The width of the ink at a point. A mouse's pressure, 0.5, gives the stroke's own width. */
function inkWidth({ tool, width }, point) {
  return inkTools[tool].pressure && point.length > 2 ? width * (0.4 + 1.2 * point[2]) : width;
}

/** The box around the ink. */
const boxOf = remembered(stroke => {
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity, width = 0;
  for (const point of stroke.points) {
    left = Math.min(left, point[0]);
    right = Math.max(right, point[0]);
    top = Math.min(top, point[1]);
    bottom = Math.max(bottom, point[1]);
    width = Math.max(width, inkWidth(stroke, point));
  }
  return grown([left, top, right, bottom], width / 2);
});

/** What the recogniser takes: x, y and width of each point. */
const inkPoints = remembered(stroke => ({
  points: Float32Array.from(stroke.points.flatMap(point => [point[0], point[1], inkWidth(stroke, point)])),
}));

/** The same stroke elsewhere. */
function moved(stroke, dx, dy) {
  return { ...stroke, points: stroke.points.map(([x, y, ...rest]) => [x + dx, y + dy, ...rest]) };
}

/** Whether ink of the stroke lies within the radius of the segment p–q. */
function isTouched(stroke, p, q, radius) {
  const way = unionOf([p, q].map(([x, y]) => [x, y, x, y]));
  if (!boxesMeet(boxOf(stroke), grown(way, radius))) return false;
  const points = stroke.points;
  return points.some((point, i) =>
    partNear(points[Math.max(0, i - 1)], point, p, q, radius + inkWidth(stroke, point) / 2));
}

/** What an eraser leaves of a stroke on its way from p to q: the stroke itself, or what it did not touch. */
function cutStroke(stroke, p, q, radius) {
  if (!isTouched(stroke, p, q, radius)) return [stroke];
  const pieces = [], points = stroke.points;
  const between = (a, b, t) => a.map((value, i) => value + t * ((b[i] ?? value) - value));
  let piece = [points[0]];
  const finish = () => {
    if (piece.length > 1) pieces.push({ ...stroke, points: piece });
  };
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1], b = points[i];
    const part = partNear(a, b, p, q, radius + inkWidth(stroke, b) / 2);
    if (!part) {
      piece.push(b);
      continue;
    }
    if (part[0] > 0) piece.push(between(a, b, part[0]));
    finish();
    piece = part[1] < 1 ? [between(a, b, part[1]), b] : [];
  }
  finish();
  return pieces;
}

/** The shape of a stroke: one path, to be filled, or drawn with a line of `lineWidth`. */
const shapeOf = remembered(stroke => {
  const path = new Path2D(), points = stroke.points, widths = points.map(point => inkWidth(stroke, point));
  if (points.length > 1 && widths.every(width => width === widths[0])) {
    path.moveTo(...points[0].slice(0, 2));
    for (let i = 1; i < points.length - 1; i++) {
      const [x, y] = points[i], [nextX, nextY] = points[i + 1];
      path.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
    }
    path.lineTo(...points.at(-1).slice(0, 2));
    return { path, lineWidth: widths[0] };
  }
  points.forEach(([x, y], i) => {
    path.moveTo(x + widths[i] / 2, y);
    path.arc(x, y, widths[i] / 2, 0, 2 * Math.PI);
    if (i === 0) return;
    const [lastX, lastY] = points[i - 1], length = Math.hypot(x - lastX, y - lastY);
    if (length === 0) return;
    // The corners turn the way that the circles do, lest the two cancel where they overlap.
    const nx = (y - lastY) / length / 2, ny = (lastX - x) / length / 2, w = widths[i], v = widths[i - 1];
    path.moveTo(lastX + nx * v, lastY + ny * v);
    path.lineTo(x + nx * w, y + ny * w);
    path.lineTo(x - nx * w, y - ny * w);
    path.lineTo(lastX - nx * v, lastY - ny * v);
    path.closePath();
  });
  return { path };
});

/** A colour as it is shown: dark ink would not be seen on dark paper, where light and dark change places. */
function shownColor(color, onDark) {
  if (!onDark) return color;
  const [r, g, b] = [1, 3, 5].map(i => parseInt(color.slice(i, i + 2), 16) / 255);
  const high = Math.max(r, g, b), low = Math.min(r, g, b), range = high - low, light = (high + low) / 2;
  const hue = range === 0 ? 0
    : high === r ? (g - b) / range : high === g ? 2 + (b - r) / range : 4 + (r - g) / range;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * light - 1));
  return `hsl(${hue * 60} ${saturation * 90}% ${Math.max(0.94 - 0.8 * light, 0.3) * 100}%)`;
}

function paintStroke(context, stroke, onDark) {
  const { path, lineWidth } = shapeOf(stroke);
  context.globalAlpha = inkTools[stroke.tool].opacity;
  context.strokeStyle = context.fillStyle = shownColor(stroke.color, onDark);
  // As a marker does: what is below gets no lighter by it.
  if (stroke.tool === "marker") context.globalCompositeOperation = onDark ? "screen" : "multiply";
  context.lineCap = context.lineJoin = "round";
  context.lineWidth = lineWidth ?? 1;
  if (lineWidth) context.stroke(path);
  else context.fill(path);
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
}
