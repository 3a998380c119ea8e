// Whether a network refuses a thick flat bar, and whether the first of some digits.
//
// usage: node refusal.mjs MODULE.wasm MODEL.ink DIGITS

import { readFileSync } from "node:fs";
import { Network } from "../../Sources/inkling-wasm/inkling.mjs";

const [module, model, digits] = process.argv.slice(2).map(path => readFileSync(path));
const network = await Network.load(await WebAssembly.compile(module), model);
const bar = Uint8Array.from({ length: network.pixels.length }, (_, index) => {
  const [x, y] = [index % network.width, Math.floor(index / network.width)];
  return x > 3 && x < 24 && y > 10 && y < 18 ? 255 : 0;
});
console.log(network.predict(bar).isRefused, network.predict(digits.subarray(0, network.pixels.length)).isRefused);
