import Tensors

// The pointers reach into memory that the execution plan laid out once; a layer's loops run over them
// without bounds checks, since those would keep the loops from being vectorised.

/// One layer's view of some images on their way forward.
struct LayerPass {
  /// Images handed over at once: a shard, or a single one.
  let count: Int
  let inputShape: ImageShape
  let outputShape: ImageShape
  /// [count, input]; the same memory as `output` if the layer works in place.
  let input: UnsafeMutablePointer<Float>
  /// [count, output].
  let output: UnsafeMutablePointer<Float>
  let parameters: LayerParameters
  /// What forward leaves for backward: [count, saved bytes].
  let saved: UnsafeMutablePointer<UInt8>
  /// The worker's scratch memory, free to overwrite.
  let scratch: UnsafeMutablePointer<Float>
  let mode: Mode
  let kernels: KernelSet

  enum Mode {
    case evaluation
    /// `firstImage` is the position of the first image in the batch of step `step`.
    case training(seed: UInt64, step: Int, firstImage: Int, layer: Int)
  }
}

/// A layer's numbers, the same for all images of a batch.
struct LayerParameters {
  /// The trainable parameters, one after another.
  let trainable: UnsafePointer<Float>
  /// The running statistics.
  let state: UnsafePointer<Float>
  /// The parameters as the kernels take them, and the tables that go with them.
  let prepared: UnsafeMutablePointer<Float>
  let tables: UnsafePointer<Int32>
}

/// The gradients of one layer on the way backward.
struct LayerGradients {
  /// The loss's derivative by the output, [count, output].
  let output: UnsafeMutablePointer<Float>
  /// Where the derivative by the input goes, [count, input]; nil where nobody needs it.
  /// The same memory as `output` if the layer works in place.
  let input: UnsafeMutablePointer<Float>?
  /// Where the shard's derivatives by the parameters are added up, as `LayerMemory.shardGradient` says.
  let shard: UnsafeMutablePointer<Float>
}

/// A layer's view of a whole batch, once the gradients of its activations are known.
struct BatchPass {
  let count: Int
  let inputShape: ImageShape
  /// [count, input].
  let input: UnsafePointer<Float>
  /// [count, output].
  let outputGradient: UnsafePointer<Float>
  /// Where the derivatives by the trainable parameters go; overwritten, not added to.
  let trainable: UnsafeMutablePointer<Float>
  /// The worker's scratch memory.
  let scratch: UnsafeMutablePointer<Float>
  let kernels: KernelSet
}

/// How much memory a layer needs beside its input and output.
struct LayerMemory {
  /// Bytes an image that forward leaves for backward.
  var savedBytes = 0
  /// Values that a worker may overwrite, whatever the number of images.
  var scratch = 0
  /// Values of the parameters as the kernels take them.
  var prepared = 0
  /// Values in which a shard adds up its gradient by the parameters; their order is the layer's own affair. 0 where
  /// the gradient is taken over the whole batch.
  var shardGradient = 0
}
