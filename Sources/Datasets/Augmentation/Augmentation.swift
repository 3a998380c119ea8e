import Tensors

/// Random changes made to each image on the fly in training: by how much at most, 0 for not at all.
///
/// An image is first thickened or thinned, then moved by one map that joins zoom, shear, rotation, shift and
/// elastic distortion, so that each pixel is interpolated once, and last noise is added. All channels
/// of an image move alike.
///
/// ```swift
/// let augmentation = try Augmentation(parsing: "rotate 10, shift 2, elastic 1")
/// ```
public struct Augmentation: Hashable, Sendable {
  /// Turns by an angle uniform in ± this many degrees about the centre.
  public internal(set) var rotation: Float = 0
  /// Moves by a distance uniform in ± this many pixels, along each axis.
  public internal(set) var shift: Float = 0
  /// Scales both axes by one factor uniform in 1 ± this fraction.
  public internal(set) var zoom: Float = 0
  /// Slants by an angle uniform in ± this many degrees.
  public internal(set) var shear: Float = 0
  /// The root mean square of the elastic displacement along each axis, in pixels.
  ///
  /// A uniform random field smoothed by a Gaussian as in Simard, Steinkraus and Platt, "Best practices for
  /// convolutional neural networks applied to visual document analysis", ICDAR 2003, but drawn at points
  /// 1.5 σ apart instead of at every pixel: see `ElasticAxis`. Their α is 2√(3π) · σ times this: their 34
  /// at σ = 4 is 1.38 pixels here.
  public internal(set) var elastic: Float = 0
  /// The standard deviation σ of the Gaussian that smooths the elastic field, in pixels.
  public internal(set) var elasticSigma: Float = Augmentation.defaultSigma
  /// Moves the edges of strokes out or in by a distance uniform in ± this many pixels.
  public internal(set) var thickness: Float = 0
  /// The standard deviation of the Gaussian noise added to each value, as a fraction of full ink.
  public internal(set) var noise: Float = 0

  static let defaultSigma: Float = 4
  static let sigmaLimits: ClosedRange<Float> = 0.5...1000

  private init() {}

  /// No change.
  public static let none = Augmentation()

  /// A set for handwritten digits of about 28×28 pixels: small enough to keep 6 and 9, 1 and 7 apart.
  public static let standard: Augmentation = {
    var result = Augmentation()
    result.rotation = 10
    result.shift = 2
    result.zoom = 0.1
    result.shear = 5
    result.elastic = 1
    result.thickness = 0.3
    return result
  }()

  /// The given amounts; throws an `AugmentationError` that names the first one out of its range.
  public init(
    rotation: Float = 0, shift: Float = 0, zoom: Float = 0, shear: Float = 0, elastic: Float = 0,
    elasticSigma: Float = 4, thickness: Float = 0, noise: Float = 0
  ) throws(AugmentationError) {
    self.rotation = rotation
    self.shift = shift
    self.zoom = zoom
    self.shear = shear
    self.elastic = elastic
    self.elasticSigma = elasticSigma
    self.thickness = thickness
    self.noise = noise
    for effect in AugmentationEffect.all {
      try effect.check(self[keyPath: effect.amount])
    }
  }

  /// Whether images pass unchanged.
  public var isNone: Bool {
    [rotation, shift, zoom, shear, elastic, thickness, noise].allSatisfy { $0 == 0 }
  }
}
