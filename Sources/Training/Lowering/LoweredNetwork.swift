import Inference

/// A network as operations and matrices of floats: what every exporter starts from.
///
/// Training's layers are folded: batch normalisation into the weights before it, rectifiers into the layer whose sums
/// they take, dropout is gone, and a softmax stands at the end.
public struct LoweredNetwork: Sendable {
  /// A matrix that an operation refers to by its place in `tensors`.
  public struct Matrix: Sendable {
    public let rows: Int
    public let columns: Int
    /// [rows, columns].
    public var values: [Float]
    /// Whether this is a weight, whose storage may be coarser, rather than a bias, scale or shift.
    public let isWeight: Bool

    public init(rows: Int, columns: Int, values: [Float], isWeight: Bool) {
      precondition(values.count == rows * columns)
      self.rows = rows
      self.columns = columns
      self.values = values
      self.isWeight = isWeight
    }
  }

  public var input: Network.InputDescription
  public var operations: [Operation]
  public var tensors: [Matrix]
  /// The classes, by name and label value.
  public var labels: [String]
  public var labelValues: [Int]
  /// See `Network`.
  public var refusalThreshold: Float
  public var takesNormalizedInk: Bool

  public init(
    input: Network.InputDescription, operations: [Operation], tensors: [Matrix], labels: [String],
    labelValues: [Int], refusalThreshold: Float = 0, takesNormalizedInk: Bool = false
  ) {
    self.input = input
    self.operations = operations
    self.tensors = tensors
    self.labels = labels
    self.labelValues = labelValues
    self.refusalThreshold = refusalThreshold
    self.takesNormalizedInk = takesNormalizedInk
  }
}
