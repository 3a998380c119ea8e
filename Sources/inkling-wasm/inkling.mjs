// What a page or Node needs around inkling.wasm; it has no dependency and imports nothing.
//
//   const module = await WebAssembly.compileStreaming(fetch("inkling.wasm"));
//   const network = await Network.load(module, await (await fetch("digits.ink")).arrayBuffer());
//   const { label, probabilities } = network.predict(pixels);

/** What `inkling_load` found, by its status: `InkError.Reason` and 1. */
const reasons = [
  "", "no .ink file", "a version that is not known", "a length that is not the file's", "a damaged file",
  "a section that is not known", "a section twice or missing", "an operation or type that is not known",
  "a number outside its limits", "a tensor that does not fit", "an operation that cannot follow the one before",
  "classes that do not fit",
];

/** The content of a section of a file that `inkling_load` has found sound; undefined where there is none. */
function section(file, tag) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let offset = 12;
  for (let count = view.getUint16(6, true); count > 0; count--) {
    const length = view.getUint32(offset + 4, true);
    if (String.fromCharCode(...file.subarray(offset, offset + 4)) === tag) {
      return new DataView(file.buffer, file.byteOffset + offset + 8, length);
    }
    offset += 8 + length;
  }
}

export class Network {
  /**
   * A network in a WebAssembly instance of its own.
   *
   * Throws an `Error` that names the place for bytes that are no `.ink` file.
   *
   * @param {WebAssembly.Module} module inkling.wasm
   * @param {ArrayBuffer | Uint8Array} file an .ink file
   */
  static async load(module, file) {
    return new Network((await WebAssembly.instantiate(module, {})).exports, new Uint8Array(file));
  }

  constructor(exports, file) {
    this.exports = exports;
    const address = exports.inkling_allocate(file.length);
    if (address === 0) throw new Error(`no memory for ${file.length} bytes`);
    new Uint8Array(exports.memory.buffer).set(file, address);
    const status = exports.inkling_load();
    if (status !== 0) {
      const found = reasons[status] ?? "too little memory";
      throw new Error(`byte ${exports.inkling_error_offset()}: expected an .ink file, found ${found}`);
    }
    this.width = exports.inkling_width();
    this.height = exports.inkling_height();
    this.channels = exports.inkling_channels();
    /** Whether ink has high values and paper is 0. */
    this.isInkHigh = exports.inkling_is_ink_high() !== 0;
    /** Below this the highest probability says that an image shows none of the classes. */
    this.refusalThreshold = section(file, "refu")?.getFloat32(0, true) ?? 0;
    // Memory does not grow after this, so that these stay valid.
    const memory = exports.memory.buffer;
    this.labels = Array.from({ length: exports.inkling_class_count() }, (_, index) =>
      new TextDecoder().decode(
        new Uint8Array(memory, exports.inkling_label(index), exports.inkling_label_length(index))));
    /** Channels × height × width values of 0 to 255; fill it and call `predict()`. */
    this.pixels = new Uint8Array(
      memory, exports.inkling_pixels(), this.channels * this.height * this.width);
    /** By class, of the last prediction. */
    this.probabilities = new Float32Array(memory, exports.inkling_probabilities(), this.labels.length);
  }

  /** Classifies an image, that in `pixels` or the one given: `{ index, label, isRefused, probabilities }`. */
  predict(image) {
    if (image !== undefined) {
      if (image.length !== this.pixels.length) {
        throw new RangeError(`expected ${this.pixels.length} pixels, found ${image.length}`);
      }
      this.pixels.set(image);
    }
    const index = this.exports.inkling_predict();
    const probabilities = Float32Array.from(this.probabilities);
    return { index, label: this.labels[index], isRefused: probabilities[index] < this.refusalThreshold, probabilities };
  }
}
