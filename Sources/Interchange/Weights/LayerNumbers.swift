import Training

/// What a layer with numbers expects of a file.
struct LayerNumbers {
  /// The layer's position, from 0.
  let position: Int
  let layer: Layer
  let shapes: [WeightModule.Part: [Int]]

  /// The layers that have numbers, in order.
  static func all(of architecture: Architecture) -> [LayerNumbers] {
    let slots = Dictionary(grouping: ParameterTable(architecture).slots, by: \.layer)
    return slots.sorted { $0.key < $1.key }.map { position, slots in
      var shapes: [WeightModule.Part: [Int]] = [:]
      for slot in slots {
        if let part = WeightModule.part(of: slot) { shapes[part] = slot.shape }
      }
      return LayerNumbers(position: position, layer: architecture.layers[position], shapes: shapes)
    }
  }
}

extension WeightModule {
  /// What PyTorch calls a slot's numbers.
  static func part(of slot: ParameterTable.Slot) -> Part? {
    switch slot.name {
    case "weight", "scale": .weight
    case "bias", "shift": .bias
    case "runningMean": .runningMean
    case "runningVariance": .runningVariance
    default: nil
    }
  }
}

extension [WeightModule.Part: [Int]] {
  /// Such as `weight [10, 128], bias [10]`.
  var text: String {
    let parts = [WeightModule.Part.weight, .bias, .runningMean, .runningVariance]
    return parts.compactMap { part in self[part].map { "\(part.rawValue) \($0.shapeText)" } }
      .joined(separator: ", ")
  }
}
