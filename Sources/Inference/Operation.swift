/// What a network does, one after another: a closed list, so that reader, writer and loops handle every kind.
///
/// In the file an operation is its kind (1 byte) and its fields in the order given here. Extents and steps are single
/// bytes; a tensor is its number in the file (2 bytes).
public enum Operation: Hashable, Sendable {
  /// Kind 1. A convolution (cross-correlation) with padding by zeros.
  case convolution(Convolution)
  /// Kind 2. A matrix times a vector.
  case dense(Dense)
  /// Kinds 3 and 4: the maximum, or the mean, of each window; windows that reach over the edge are left out.
  case maximumPool(Window)
  case averagePool(Window)
  /// Kind 5: the mean of each channel.
  case globalAveragePool
  /// Kind 6: the same values as one vector, in the order channel, row, column.
  case flatten
  /// Kind 7: `e^x` of each value over the sum of all.
  case softmax
  /// Kind 8: a rectifier of its own, where it follows no convolution or dense layer. Its activation as in these.
  case activation(Activation)
  /// Kind 9: each channel times its scale plus its shift; two tensors of floats, channels × 1.
  case affine(scale: Int, shift: Int)

  /// What happens to a sum before it is handed on, in the file: 1 byte, 0 none, 1 ReLU, 2 leaky ReLU, and for the
  /// last the slope (float). With 128 added two floats follow that, the integer scales.
  public enum Activation: Hashable, Sendable {
    case none
    case rectifier
    /// Values below 0 are multiplied by the slope.
    case leaky(Float)

    @inline(__always) func callAsFunction(_ value: Float) -> Float {
      switch self {
      case .none: value
      case .rectifier: value > 0 ? value : 0
      case .leaky(let slope): value > 0 ? value : value * slope
      }
    }
  }

  /// The scales of arithmetic with whole numbers; nil where an operation computes with floats.
  ///
  /// Input and output are bytes: pixels at first, later 0 to 127, which times the scale are the values. With the
  /// int32 sum s of weight · input numbers the output is `s · (weightScale · input / output) + bias / output`, each
  /// step a float32 operation, rounded half to even and limited to 0...127. An output scale of 0 keeps
  /// `s · (weightScale · input) + bias` as a float.
  public struct IntegerScales: Hashable, Sendable {
    public var input: Float
    public var output: Float

    public init(input: Float, output: Float) {
      self.input = input
      self.output = output
    }
  }

  /// In the file: activation, [integer scales], filters (2), kernel height, kernel width, stride down, stride across,
  /// padding above, to the left, below, to the right, groups (2), weights, bias.
  public struct Convolution: Hashable, Sendable {
    public var activation: Activation
    public var integers: IntegerScales?
    public var filters: Int
    public var window: Window
    public var top: Int
    public var left: Int
    public var bottom: Int
    public var right: Int
    public var groups: Int
    /// filters × (channels / groups · height · width).
    public var weights: Int
    /// Floats, filters × 1, or `InkFormat.noTensor`.
    public var bias: Int

    public init(
      activation: Activation, integers: IntegerScales? = nil, filters: Int, window: Window,
      padding: (top: Int, left: Int, bottom: Int, right: Int), groups: Int, weights: Int, bias: Int
    ) {
      self.activation = activation
      self.integers = integers
      self.filters = filters
      self.window = window
      (top, left, bottom, right) = padding
      self.groups = groups
      self.weights = weights
      self.bias = bias
    }
  }

  /// In the file: activation, [integer scales], outputs (4), weights, bias.
  public struct Dense: Hashable, Sendable {
    public var activation: Activation
    public var integers: IntegerScales?
    public var outputs: Int
    /// outputs × inputs.
    public var weights: Int
    /// Floats, outputs × 1, or `InkFormat.noTensor`.
    public var bias: Int

    public init(
      activation: Activation, integers: IntegerScales? = nil, outputs: Int, weights: Int, bias: Int
    ) {
      self.activation = activation
      self.integers = integers
      self.outputs = outputs
      self.weights = weights
      self.bias = bias
    }
  }

  /// In the file: height, width, stride down, stride across.
  public struct Window: Hashable, Sendable {
    public var height: Int
    public var width: Int
    public var down: Int
    public var across: Int

    public init(height: Int, width: Int, down: Int, across: Int) {
      self.height = height
      self.width = width
      self.down = down
      self.across = across
    }
  }
}

/// The extent of an image or of its activations: channels × height × width.
public struct Extent3: Hashable, Sendable {
  public var channels: Int
  public var height: Int
  public var width: Int

  public init(channels: Int, height: Int, width: Int) {
    self.channels = channels
    self.height = height
    self.width = width
  }

  // The extents of a network were checked: at most 2^24 values.
  public var count: Int { channels &* height &* width }
  public var planeCount: Int { height &* width }
}
