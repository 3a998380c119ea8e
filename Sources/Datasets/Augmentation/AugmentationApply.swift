import Tensors

extension Augmentation {
  /// Writes a changed copy of one image, [C, H, W] bytes 0…255 in, floats 0…1 out.
  ///
  /// The change depends on the settings, `seed`, `epoch` and `index` alone. Allocates nothing.
  ///
  /// - Precondition: `pixels` and `output` hold `shape.count` values and do not overlap; `scratch` was made
  ///   for `shape` and is used by no other thread meanwhile.
  public func apply(
    to pixels: UnsafePointer<UInt8>, shape: ImageShape, output: UnsafeMutablePointer<Float>,
    seed: UInt64, epoch: Int, index: Int, scratch: AugmentationScratch
  ) {
    precondition(scratch.shape == shape)
    var random = RandomStream(seed: seed, stream: .augmentation, step: epoch, index: index)
    let motion = drawMotion(from: &random)
    if elastic > 0 {
      scratch.drawField(amplitude: elastic, sigma: elasticSigma, from: &random)
    }
    let map = AffineMap(undoing: motion, in: shape)
    for channel in 0..<shape.channels {
      let start = channel &* shape.planeCount
      scratch.load(pixels + start)
      scratch.thicken(by: motion.thickness)
      scratch.sample(through: map, elastic: elastic > 0, output: output + start)
    }
    if noise > 0 {
      Self.addNoise(noise, to: output, count: shape.count, from: &random)
    }
  }

  /// One image's draw of everything but the fields.
  struct Motion {
    /// In degrees, counter-clockwise.
    var rotation: Float = 0
    /// In degrees, the top to the left.
    var shear: Float = 0
    /// The factor by which the image grows.
    var zoom: Float = 1
    /// In pixels, to the right and down.
    var shiftX: Float = 0
    var shiftY: Float = 0
    /// In pixels.
    var thickness: Float = 0
  }

  /// Draws as many numbers whatever is off, so that one setting leaves the others' draws alone.
  func drawMotion(from random: inout RandomStream) -> Motion {
    Motion(
      rotation: random.uniform(in: -rotation...rotation),
      shear: random.uniform(in: -shear...shear),
      zoom: 1 + random.uniform(in: -zoom...zoom),
      shiftX: random.uniform(in: -shift...shift),
      shiftY: random.uniform(in: -shift...shift),
      thickness: random.uniform(in: -thickness...thickness))
  }
}
