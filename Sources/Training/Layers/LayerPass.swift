import Tensors

// The pointers reach into an arena that the execution plan laid out once; a layer's loops run over them
// without bounds checks, since those would keep the loops from being vectorised.

/// One layer's view of one shard on its way forward.
struct LayerPass {
  /// Images in the shard.
  let count: Int
  let inputShape: ImageShape
  let outputShape: ImageShape
  /// [count, input]; the same memory as `output` if the layer works in place.
  let input: UnsafeMutablePointer<Float>
  /// [count, output].
  let output: UnsafeMutablePointer<Float>
  /// The layer's trainable parameters, one after another.
  let trainable: UnsafePointer<Float>
  /// The layer's running statistics.
  let state: UnsafePointer<Float>
  /// What forward leaves for backward: [count, savedByteCount].
  let saved: UnsafeMutablePointer<UInt8>
  /// The worker's scratch memory, free to overwrite.
  let scratch: UnsafeMutablePointer<Float>
  let mode: Mode

  enum Mode {
    case evaluation
    /// `firstImage` is the shard's first position in the batch of step `step`.
    case training(seed: UInt64, step: Int, firstImage: Int, layer: Int)
  }
}

/// The gradients of one layer and one shard on its way backward.
struct LayerGradients {
  /// The loss's derivative by the output, [count, output].
  let output: UnsafeMutablePointer<Float>
  /// Where the derivative by the input goes, [count, input]; nil where nobody needs it.
  /// The same memory as `output` if the layer works in place.
  let input: UnsafeMutablePointer<Float>?
  /// Where the derivatives by the trainable parameters go; overwritten, not added to.
  let trainable: UnsafeMutablePointer<Float>
}
