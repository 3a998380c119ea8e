// Classifies images in Node with inkling.wasm, and says how long that takes.
//
// usage: node predictions.mjs MODULE.wasm MODEL.ink DIGITS PREDICTIONS
//
// PREDICTIONS gets for each image the class, as a 32-bit number, and the probabilities as floats. On standard output:
// the microseconds for an image, the median and the range of some rounds.

import { readFileSync, writeFileSync } from "node:fs";
import { Network } from "../../Sources/inkling-wasm/inkling.mjs";

const [modulePath, modelPath, digitsPath, predictionsPath] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(modulePath));
const model = readFileSync(modelPath);

// Every cut file, and every file with a changed byte, is an error and no trap; then the whole file is taken all the same.
let refused = 0;
for (let cut = 0; cut < model.length; cut += 997) {
  for (const bytes of [model.subarray(0, cut), Uint8Array.from(model, (byte, place) => (place === cut ? byte ^ 16 : byte))]) {
    try {
      await Network.load(module, bytes);
      throw new TypeError(`a file that is damaged at byte ${cut} was taken`);
    } catch (error) {
      if (!/^byte \d+: expected an \.ink file, found /.test(error.message)) throw error;
      refused += 1;
    }
  }
}
if (refused === 0) throw new TypeError("no damaged file was tried");

const network = await Network.load(module, model);
const digits = readFileSync(digitsPath);
const size = network.pixels.length;
const count = digits.length / size;
const recordSize = 4 * (1 + network.labels.length);
const records = Buffer.alloc(count * recordSize);
for (let image = 0; image < count; image += 1) {
  const { index, label, probabilities } = network.predict(digits.subarray(image * size, (image + 1) * size));
  if (label !== String(index)) throw new TypeError(`class ${index} is named ${label}`);
  records.writeInt32LE(index, image * recordSize);
  probabilities.forEach((value, place) => records.writeFloatLE(value, image * recordSize + 4 * (1 + place)));
}
writeFileSync(predictionsPath, records);

const times = [];
for (let round = 0; round < 21; round += 1) {
  const start = process.hrtime.bigint();
  for (let image = 0; image < 200; image += 1) network.exports.inkling_predict();
  times.push(Number(process.hrtime.bigint() - start) / 200e3);
}
times.sort((a, b) => a - b);
console.log(`${times[10].toFixed(1)} (${times[0].toFixed(1)} to ${times[20].toFixed(1)})`);
