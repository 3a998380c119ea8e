import Tensors

/// An architecture and its numbers, in one flat buffer: first what is trained, then running statistics.
public struct Model: Sendable {
  public let architecture: Architecture
  /// Where in `values` each parameter lies.
  public let table: ParameterTable
  /// [trainable | state].
  public var values: [Float]

  /// A model with the given numbers.
  ///
  /// - Precondition: `values` fills the architecture's table.
  public init(architecture: Architecture, values: [Float]) {
    self.architecture = architecture
    table = ParameterTable(architecture)
    precondition(values.count == table.count)
    self.values = values
  }

  /// The numbers of one slot as a tensor: OIHW for a convolution's weights, [out, in] for a dense layer's.
  public subscript(slot: ParameterTable.Slot) -> Tensor {
    get { Tensor(shape: slot.shape, elements: Array(values[slot.range])) }
    set {
      precondition(newValue.shape == slot.shape)
      values.replaceSubrange(slot.range, with: newValue.elements)
    }
  }
}

/// Which stretch of a model's flat buffer is whose.
public struct ParameterTable: Sendable {
  /// One parameter array of one layer.
  public struct Slot: Sendable {
    /// The layer's position, from 0.
    public let layer: Int
    /// `weight`, `bias`, `scale`, `shift`, `runningMean` or `runningVariance`.
    public let name: String
    public let shape: [Int]
    public let range: Range<Int>
    /// Whether weight decay pulls at it.
    public let isDecayed: Bool
    let role: Parameter.Role
  }

  /// Trainable slots by layer, then state slots by layer; their ranges adjoin.
  public let slots: [Slot]
  public let trainableCount: Int
  /// Trainable numbers and state together.
  public let count: Int
  /// Each layer's stretch of the trainable part.
  let trainable: [Range<Int>]
  /// Each layer's stretch of the state.
  let state: [Range<Int>]

  package init(_ architecture: Architecture) {
    let parameters = architecture.layers.indices.map {
      architecture.layers[$0].rule.parameters(for: architecture.input(of: $0))
    }
    var slots: [Slot] = []
    var position = 0
    func lay(_ isIncluded: (Parameter) -> Bool) -> [Range<Int>] {
      parameters.indices.map { layer in
        let start = position
        for parameter in parameters[layer] where isIncluded(parameter) {
          let range = position..<position + parameter.count
          slots.append(
            Slot(
              layer: layer, name: parameter.name, shape: parameter.shape, range: range,
              isDecayed: parameter.isDecayed, role: parameter.role))
          position = range.upperBound
        }
        return start..<position
      }
    }
    trainable = lay { !$0.isState }
    trainableCount = position
    state = lay { $0.isState }
    self.slots = slots
    count = position
  }
}
