// The strokes as JSON, {"format": "inkling-drawing", "version": 1, …}, out and in.

const largestDrawing = { bytes: 64e6, points: 1e6, distance: 1e6 };

/** The JSON text: one stroke a line, coordinates to a hundredth of a unit. */
function drawingText(width, height, strokes) {
  const short = value => Math.round(value * 100) / 100;
  const lines = strokes.map(({ tool, color, width, points }) => JSON.stringify({
    tool, color, width, points: points.map(point => point.map(short)),
  }));
  const size = { width: short(width), height: short(height) };
  const head = JSON.stringify({ format: "inkling-drawing", version: 1, ...size });
  return `${head.slice(0, -1)},"strokes":[\n${lines.join(",\n")}\n]}\n`;
}

/** An error whose message is meant for the person at the page. */
class Complaint extends Error {}

/**
 * The drawing in a JSON text, {strokes}, with the width and height of its sheet if it says them, as only this page does;
 * throws a Complaint that says what is wrong where.
 */
function drawingFrom(text) {
  const complain = message => { throw new Complaint(message); };
  const brief = value => value === undefined ? "nothing" : `${JSON.stringify(value)}`.slice(0, 40);
  const isNumber = (value, low, high) => typeof value === "number" && value >= low && value <= high;
  let drawing;
  try {
    drawing = JSON.parse(text);
  } catch (error) {
    complain(`This is no JSON: ${error.message}.`);
  }
  if (drawing?.format !== "inkling-drawing") {
    complain(`This is no drawing: expected "format": "inkling-drawing", found ${brief(drawing?.format)}.`);
  }
  if (drawing.version !== 1) {
    complain(`This page reads version 1 of the drawings, not ${brief(drawing.version)}.`);
  }
  const far = largestDrawing.distance;
  const size = {};
  for (const key of ["width", "height"]) {
    const length = drawing[key];
    if (length === undefined) continue;
    if (!isNumber(length, 1, far)) complain(`"${key}" is ${brief(length)}, not a length from 1 to ${far}.`);
    size[key] = length;
  }
  if (!Array.isArray(drawing.strokes)) complain(`"strokes" is ${brief(drawing.strokes)}, not a list.`);

  let count = 0;
  const strokes = drawing.strokes.map((stroke, i) => {
    const place = `Stroke ${i + 1}`;
    const { tool = "pen", color = inkTools.pen.color, width = inkTools.pen.width, points } = stroke ?? {};
    const refuse = (what, found, expected) =>
      complain(`${place}: the ${what} is ${brief(found)}, not ${expected}.`);
    if (!Object.hasOwn(inkTools, tool)) refuse("tool", tool, "pen, marker or pencil");
    if (typeof color !== "string" || !/^#[0-9a-f]{6}$/i.test(color)) refuse("colour", color, 'one like "#1a1a1a"');
    if (!isNumber(width, 0.01, 1000)) refuse("width", width, "a number up to 1000");
    if (!Array.isArray(points) || points.length === 0) complain(`${place} has no points.`);
    count += points.length;
    if (count > largestDrawing.points) complain(`The drawing has more than ${largestDrawing.points} points.`);
    points.forEach((point, j) => {
      const isPoint = Array.isArray(point) && point.length >= 2 && point.length <= 4
        && isNumber(point[0], -far, far) && isNumber(point[1], -far, far)
        && (point.length < 3 || isNumber(point[2], 0, 1)) && (point.length < 4 || isNumber(point[3], 0, 1e12));
      if (!isPoint) complain(`${place}, point ${j + 1}: ${brief(point)} is not [x, y, pressure, milliseconds].`);
    });
    return { tool, color, width, points };
  });
  return { ...size, strokes };
}
