import Wire

// The fields of CoreML.Specification's Model.proto, FeatureTypes.proto and NearestNeighbors.proto. A message
// without a field is written all the same where its being there says which of several kinds is meant.

extension CoreMLFile {
  func write(to message: inout ProtobufWriter) {
    message.integer(version, field: 1)
    message.message(field: 2, writeDescription)
    if isUpdatable { message.integer(1, field: 10) }
    switch content {
    case .network(let network): message.message(field: 500) { network.write(to: &$0) }
    case .classifier(let network, let labels):
      message.message(field: 403) {
        network.write(to: &$0)
        $0.message(field: 100) { Self.write(labels, to: &$0) }
        $0.string(network.layers.last?.output ?? "", field: 200)
      }
    case .neighbors(let neighbors): message.message(field: 404) { neighbors.write(to: &$0) }
    case .pipeline(let models):
      // A pipeline in the one for classifiers.
      message.message(field: 200) {
        $0.message(field: 1) { pipeline in
          for model in models { pipeline.message(field: 1) { model.write(to: &$0) } }
        }
      }
    }
  }

  fileprivate static func write(_ strings: [String], to vector: inout ProtobufWriter) {
    for string in strings { vector.string(string, field: 1) }
  }

  private func writeDescription(to message: inout ProtobufWriter) {
    for input in inputs { message.message(field: 1, input.write) }
    for output in outputs { message.message(field: 10, output.write) }
    if !label.isEmpty { message.string(label, field: 11) }
    if !probabilities.isEmpty { message.string(probabilities, field: 12) }
    for input in trainingInputs { message.message(field: 50, input.write) }
    if let notes { message.message(field: 100, notes.writeCoreML) }
  }
}

extension CoreMLFile.Feature {
  fileprivate func write(to message: inout ProtobufWriter) {
    message.string(name, field: 1)
    if !summary.isEmpty { message.string(summary, field: 2) }
    message.message(field: 3, type.write)
  }
}

extension CoreMLFile.FeatureType {
  fileprivate func write(to message: inout ProtobufWriter) {
    switch self {
    case .string: message.message(field: 3) { _ in }
    case .image(let extent):
      message.message(field: 4) {
        $0.integer(extent.width, field: 1)
        $0.integer(extent.height, field: 2)
        // 10 is grey, 20 red, green and blue.
        $0.integer(extent.channels == 1 ? 10 : 20, field: 3)
      }
    case .vector(let count):
      message.message(field: 5) {
        $0.integers([count], field: 1)
        // float32.
        $0.integer(65_568, field: 2)
      }
    // Its keys are strings.
    case .dictionary: message.message(field: 6) { $0.message(field: 2) { _ in } }
    }
  }
}

extension ModelNotes {
  fileprivate func writeCoreML(to message: inout ProtobufWriter) {
    if !summary.isEmpty { message.string(summary, field: 1) }
    if !author.isEmpty { message.string(author, field: 3) }
    if !license.isEmpty { message.string(license, field: 4) }
    for fact in facts {
      message.message(field: 100) {
        $0.string(fact.name, field: 1)
        $0.string(fact.value, field: 2)
      }
    }
  }
}

extension CoreMLNeighbors {
  fileprivate func write(to message: inout ProtobufWriter) {
    message.message(field: 1) { index in
      index.integer(dimensions, field: 1)
      for sample in samples { index.message(field: 2) { $0.floats(sample, field: 1) } }
      // All samples are looked at, and by their squared distance: there are few.
      index.message(field: 100) { _ in }
      index.message(field: 200) { _ in }
    }
    message.message(field: 3, count.write)
    message.message(field: 100) { CoreMLFile.write(labels, to: &$0) }
    message.string(defaultLabel, field: 110)
    // Nearer samples weigh more, by the inverse of their distance.
    message.message(field: 210) { _ in }
  }
}

extension CoreMLNumber<Int> {
  func write(to message: inout ProtobufWriter) {
    message.integer(value, field: 1)
    message.message(field: 10) {
      $0.integer(range.lowerBound, field: 1)
      $0.integer(range.upperBound, field: 2)
    }
  }
}

extension CoreMLNumber<Double> {
  func write(to message: inout ProtobufWriter) {
    message.double(value, field: 1)
    message.message(field: 10) {
      $0.double(range.lowerBound, field: 1)
      $0.double(range.upperBound, field: 2)
    }
  }
}
