/** The network in draw.wasm: from strokes to its picture of them, its probabilities and its answer. */
class Recognizer {
  /** Of drawings with more points only every second, third, … point of a stroke is taken, and its last one. */
  static mostPoints = 10000;

  /** Throws an `Error` for bytes that are no .ink file, or a model of other pictures than drawings. */
  static async make(wasmBytes, modelBytes) {
    const { instance } = await WebAssembly.instantiate(wasmBytes, {});
    return new Recognizer(instance.exports, modelBytes);
  }

  constructor(exports, model) {
    this.exports = exports;
    const address = exports.inkling_allocate(model.length);
    if (address === 0) throw new Error(`there is no memory for a model of ${model.length} bytes`);
    this.bytes(address, model.length).set(model);
    if (exports.inkling_load() !== 0) throw new Error(`the model is damaged at byte ${exports.inkling_error_offset()}`);
    this.width = exports.inkling_width();
    this.height = exports.inkling_height();
    this.labels = Array.from({ length: exports.inkling_class_count() }, (_, index) => new TextDecoder().decode(
      this.bytes(exports.inkling_label(index), exports.inkling_label_length(index))));
    if (exports.inkling_strokes(0, 0) === 0) throw new Error("the model takes other pictures than drawings");
  }

  // Views are made anew each time, since memory that grows is another buffer.
  bytes(address, count) { return new Uint8Array(this.exports.memory.buffer, address, count); }
  floats(address, count) { return new Float32Array(this.exports.memory.buffer, address, count); }

  /**
   * Classifies strokes, {points: Float32Array of x, y and width of each point, y down}: {index, probabilities, picture},
   * where the index is -1 for no digit. Throws a `RangeError` for a coordinate that is no finite number.
   */
  recognize(strokes) {
    const { exports } = this, pictureSize = this.width * this.height;
    this.write(strokes);
    const index = exports.inkling_predict_strokes();
    if (index === -3) throw new RangeError("expected finite coordinates, found one that is not");
    if (index < 0) {
      return { index: -1, probabilities: new Float32Array(this.labels.length), picture: new Uint8Array(pictureSize) };
    }
    const probabilities = this.floats(exports.inkling_probabilities(), this.labels.length).slice();
    const isRefused = probabilities[index] < exports.inkling_refusal_threshold();
    return {
      index: isRefused ? -1 : index, probabilities,
      picture: this.bytes(exports.inkling_pixels(), pictureSize).slice(),
    };
  }

  /** Copies the strokes to where the module reads them. */
  write(strokes) {
    const sizes = strokes.map(({ points }) => points.length / 3), sum = list => list.reduce((a, b) => a + b, 0);
    const step = Math.max(1, Math.ceil(sum(sizes) / Recognizer.mostPoints));
    const counts = sizes.map(size => size > 0 ? Math.ceil((size - 1) / step) + 1 : 0), count = sum(counts);
    const address = this.exports.inkling_strokes(counts.length, count);
    if (address === 0) throw new RangeError(`there is no memory for ${count} points`);
    new Int32Array(this.exports.memory.buffer, address, counts.length).set(counts);
    const target = this.floats(this.exports.inkling_points(), 2 * count);
    let next = 0;
    strokes.forEach(({ points }, stroke) => {
      for (let i = 0; i < counts[stroke]; i++) {
        const place = 3 * Math.min(i * step, sizes[stroke] - 1);
        target[next++] = points[place];
        target[next++] = points[place + 1];
      }
    });
  }
}
