// Classifies drawings in Node as the page does, with its recogniser and draw.wasm.
//
// usage: node drawings.mjs RECOGNIZER.js MODULE.wasm MODEL.ink DRAWINGS.json PREDICTIONS
//
// PREDICTIONS gets for each drawing, and for one of a million points, the picture's bytes, the class as a 32-bit number,
// and the probabilities as floats. On standard output: the microseconds for a drawing, the median and the range.

import { readFileSync, writeFileSync } from "node:fs";

const [scriptPath, modulePath, modelPath, drawingsPath, predictionsPath] = process.argv.slice(2);
const Recognizer = new Function(`${readFileSync(scriptPath, "utf8")}\nreturn Recognizer;`)();
const recognizer = await Recognizer.make(readFileSync(modulePath), readFileSync(modelPath));

/** The recogniser's strokes; it does not look at widths. */
function strokesOf({ strokes }) {
  return strokes.map(values => ({
    points: Float32Array.from({ length: values.length / 2 * 3 }, (_, i) =>
      i % 3 < 2 ? values[2 * Math.floor(i / 3) + i % 3] : NaN),
  }));
}

function expect(isSo, what) {
  if (!isSo) throw new Error(what);
}

const million = { strokes: [[]] };
for (let i = 0; i < 1e6; i++) million.strokes[0].push(i * 7919 % 1009, i * 7907 % 997);
const drawings = [...JSON.parse(readFileSync(drawingsPath, "utf8")), million].map(strokesOf);
// What the page thins out is held against all points here.
const { mostPoints } = Recognizer;
Recognizer.mostPoints = Infinity;
const records = drawings.map(strokes => {
  const { index, probabilities, picture } = recognizer.recognize(strokes);
  const record = Buffer.alloc(picture.length + 4 + 4 * probabilities.length);
  record.set(picture);
  record.writeInt32LE(index, picture.length);
  probabilities.forEach((value, i) => record.writeFloatLE(value, picture.length + 4 + 4 * i));
  return record;
});
writeFileSync(predictionsPath, Buffer.concat(records));

// What is no drawing is told, and the next one is read all the same.
for (const empty of [[], [{ points: new Float32Array(0) }], [{ points: new Float32Array(0) }, { points: new Float32Array(0) }]]) {
  const { index, probabilities, picture } = recognizer.recognize(empty);
  expect(index === -1 && probabilities.every(p => p === 0) && picture.every(p => p === 0), "an empty drawing has a class");
}
for (const wrong of [NaN, Infinity, -Infinity]) {
  let complaint = "";
  try {
    recognizer.recognize([{ points: Float32Array.of(1, 2, 1, 3, wrong, 1) }]);
  } catch (error) {
    complaint = error.message;
  }
  expect(/finite/.test(complaint), `${wrong} was taken: ${complaint}`);
}
// Counts that do not fit the points, and more memory than there is, are answers and no traps.
const { exports } = recognizer;
for (const counts of [[3], [-1, 3], [2 ** 31 - 1, 2 ** 31 - 1]]) {
  const address = exports.inkling_strokes(counts.length, 2);
  new Int32Array(exports.memory.buffer, address, counts.length).set(counts);
  expect(exports.inkling_predict_strokes() === -1, `counts ${counts} of 2 points were taken`);
}
for (const [strokes, points] of [[-1, 1], [1, -1], [2 ** 31 - 1, 1], [1, 2 ** 31 - 1]]) {
  expect(exports.inkling_strokes(strokes, points) === 0, `there is room for ${strokes} strokes, ${points} points`);
  expect(exports.inkling_predict_strokes() < 0, "strokes without room were read");
}
// A thinned drawing keeps its ends.
Recognizer.mostPoints = 3;
recognizer.recognize([{ points: Float32Array.from({ length: 30 }, (_, i) => i) }, { points: Float32Array.of(7, 8, 9) }]);
const found = new Float32Array(exports.memory.buffer, exports.inkling_points(), 10);
expect(`${found}` === "0,1,12,13,24,25,27,28,7,8", `of 11 points every fourth and the last are ${found}`);
Recognizer.mostPoints = mostPoints;

const digits = drawings.slice(4, 14);
const times = [];
for (let round = 0; round < 21; round += 1) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < 20; i += 1) digits.forEach(strokes => recognizer.recognize(strokes));
  times.push(Number(process.hrtime.bigint() - start) / (20e3 * digits.length));
}
times.sort((a, b) => a - b);
console.log(`${times[10].toFixed(1)} (${times[0].toFixed(1)} to ${times[20].toFixed(1)})`);
