import PlainText
import Training

/// Which of a file's arrays become the numbers of which layer.
///
/// Arrays are taken together by the name in front of `weight`, `bias`, `running_mean` and `running_var`. A
/// group goes to the layer that has its shapes. Several layers of the same shapes take their groups in the
/// order of the names' numbers, 2 before 10. Where names do not say by a number which comes first, the order
/// in the file decides if somebody chose it, as with `numpy.savez`; otherwise nothing is guessed.
public struct WeightMapping: Sendable {
  public let architecture: Architecture
  /// For the position of each layer with numbers the group that it takes, such as `features.0`.
  public let modules: [Int: String]
  private let found: [Int: WeightModule]

  /// Maps all arrays of a file to all layers with numbers.
  ///
  /// Throws an `InterchangeError` where they do not fit: one line of what is wrong first, with a table of the
  /// layers with what they expect and what was found.
  public init(_ weights: WeightFile, onto architecture: Architecture) throws(InterchangeError) {
    var remaining = try Self.modules(of: weights)
    let layers = LayerNumbers.all(of: architecture)
    var found: [Int: WeightModule] = [:]
    for layer in layers where found[layer.position] == nil {
      let alike = layers.filter { $0.shapes == layer.shapes }
      let matches = try Self.ordered(remaining.filter { $0.shapes == layer.shapes }, weights)
      for (layer, module) in zip(alike, matches) {
        found[layer.position] = module
        remaining.removeAll { $0.name == module.name }
      }
    }
    guard remaining.isEmpty, found.count == layers.count else {
      let misfit = MappingMisfit(layers: layers, found: found, remaining: remaining)
      throw InterchangeError("\(weights.path): \(misfit.summary)", details: misfit.table)
    }
    self.architecture = architecture
    self.found = found
    modules = found.mapValues(\.name)
  }

  /// The architecture with the file's numbers.
  public var model: Model {
    let table = ParameterTable(architecture)
    var values = [Float](repeating: 0, count: table.count)
    for slot in table.slots {
      guard let array = WeightModule.part(of: slot).flatMap({ found[slot.layer]?.parts[$0] }) else {
        continue
      }
      values.replaceSubrange(slot.range, with: array.values)
    }
    return Model(architecture: architecture, values: values)
  }

  /// The groups in the file's order.
  private static func modules(of weights: WeightFile) throws(InterchangeError) -> [WeightModule] {
    var modules: [WeightModule] = []
    var places: [String: Int] = [:]
    for array in weights.arrays {
      guard let (name, part) = WeightModule.split(array.name) else {
        throw InterchangeError(
          "\(weights.path): expected names that end in weight, bias, running_mean or running_var, found "
            + "\(array.name.quoted); call the array as PyTorch would")
      }
      if let bad = array.values.firstIndex(where: { !$0.isFinite }) {
        throw InterchangeError(
          "\(weights.path): expected finite numbers in \(array.name.quoted), found \(array.values[bad]) at index "
            + "\(bad.groupedDigits); train the model again")
      }
      let place = places[name, default: modules.count]
      if place == modules.count {
        places[name] = place
        modules.append(WeightModule(name: name))
      }
      if let other = modules[place].parts.updateValue(array, forKey: part) {
        throw InterchangeError(
          "\(weights.path): expected one \(part.rawValue) of \(name.quoted), found \(other.name.quoted) and "
            + "\(array.name.quoted); leave one of them out")
      }
    }
    return modules
  }

  /// Groups of the same shapes in the order in which the layers take them; they come in the file's order.
  private static func ordered(
    _ modules: [WeightModule], _ weights: WeightFile
  ) throws(InterchangeError) -> [WeightModule] {
    let sorted = modules.map { (NaturalName($0.name), $0) }.sorted { $0.0 < $1.0 }
    for (first, second) in zip(sorted, sorted.dropFirst())
    where !NaturalName.isOrderCertain(first.0, second.0) {
      if weights.keepsOrder { return modules }
      throw InterchangeError(
        "\(weights.path): expected numbers in the names to say which comes first, found \(first.1.name.quoted) and "
          + "\(second.1.name.quoted), which have the same shapes; save the network as an nn.Sequential, or with "
          + "numpy.savez, which keeps the order of its arguments")
    }
    return sorted.map(\.1)
  }
}
