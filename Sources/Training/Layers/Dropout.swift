import Tensors

/// Dropout: in training each value is zeroed with probability `rate` and the others are scaled by
/// 1 / (1 - rate), so that evaluation needs no change (Srivastava et al., JMLR 15, 2014).
///
/// A draw depends only on seed, step, layer and the image's position in the batch.
public struct Dropout: Hashable, Sendable {
  /// In 0..<1, taken to the nearest multiple of 2⁻¹⁶.
  public var rate: Float

  public init(rate: Float) {
    self.rate = rate
  }
}

extension Dropout: LayerRule {
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape { input }

  var grain: Grain { .either }
  var isInPlace: Bool { true }

  func memory(from input: ImageShape, to output: ImageShape) -> LayerMemory {
    LayerMemory(savedBytes: output.count)
  }

  /// 16 random bits below this drop a value; never all of them, since the rest is scaled up.
  private var threshold: UInt32 { min(0xFFFF, UInt32((rate * 0x1p16).rounded())) }

  func forward(_ pass: LayerPass) {
    guard case .training(let seed, let step, let firstImage, let layer) = pass.mode else { return }
    let (length, threshold) = (pass.outputShape.count, threshold)
    for image in 0..<pass.count {
      RandomStream(seed: seed, stream: .dropout(layer: layer), step: step, index: firstImage + image)
        .fillMask(
          pass.saved + image * length, count: length, threshold: threshold, kernels: pass.kernels)
    }
    scale(pass.output, by: pass.saved, count: pass.count * length)
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    scale(gradients.output, by: pass.saved, count: pass.count * pass.outputShape.count)
  }

  private func scale(_ values: UnsafeMutablePointer<Float>, by mask: UnsafePointer<UInt8>, count: Int) {
    let kept = 1 / (1 - Float(threshold) * 0x1p-16)
    for i in 0..<count { values[i] *= Float(mask[i]) * kept }
  }

  public var description: String { "dropout \(rate)" }
}
