import Inference

/// A model as the file has it: what goes in and out, and what is in between.
///
/// The values here mirror the messages of Core ML's format; `CoreMLCheck` judges them, and the files named
/// "Writing" say which field each is.
struct CoreMLFile {
  /// Which systems can read it: 1 is iOS 11, 2 iOS 11.2, 3 iOS 12, 4 iOS 13.
  var version: Int
  var inputs: [Feature]
  var outputs: [Feature]
  /// What the device trains with; empty unless it can.
  var trainingInputs: [Feature] = []
  /// The outputs with the answer and with the probability of each; empty for what does not classify.
  var label = ""
  var probabilities = ""
  var notes: ModelNotes?
  var isUpdatable = false
  var content: Content

  enum Content {
    /// A network whose last layer's output is the output.
    case network(CoreMLNetwork)
    /// A network that gives the probabilities of labels.
    case classifier(CoreMLNetwork, labels: [String])
    case neighbors(CoreMLNeighbors)
    /// Models each of which takes what the one before gives; the last classifies.
    case pipeline([CoreMLFile])
  }

  struct Feature: Hashable {
    var name: String
    var summary = ""
    var type: FeatureType
  }

  enum FeatureType: Hashable {
    /// Of one byte a value: grey with one channel, red, green and blue with three.
    case image(Extent3)
    case string
    /// Of strings to numbers.
    case dictionary
    /// float32 values.
    case vector(Int)
  }
}

/// A classifier that answers with the labels of the nearest samples.
struct CoreMLNeighbors {
  /// Values of a sample.
  var dimensions: Int
  var samples: [[Float]] = []
  /// One for each sample.
  var labels: [String] = []
  /// The answer while there is no sample.
  var defaultLabel: String
  /// How many answer.
  var count: CoreMLNumber<Int>
}

/// A setting that a program may change, and within which limits.
struct CoreMLNumber<Value: Comparable & Sendable>: Sendable {
  var value: Value
  var range: ClosedRange<Value>
}
