import HostInference

/// What the network says of one drawing, picture, or digit in a picture.
struct Reading {
  /// What the network saw.
  let pixels: [UInt8]
  let prediction: Prediction

  /// The name of the class; nil where the network takes the picture for none.
  var label: String? { prediction.isRefused ? nil : prediction.label }
}

/// The answer for one input, or for one of the drawings in it.
struct Answer {
  enum Content {
    /// There is no ink.
    case blank
    case single(Reading)
    /// The digits of a picture from left to right; none where there is no ink.
    case number([Reading])
  }

  /// The file as it was named.
  let file: String
  /// Where in the file, if several drawings are in it.
  let place: Int?
  let content: Content

  /// As people read it: drawing.json:3.
  var name: String { place.map { "\(file):\($0)" } ?? file }
}

extension Answer.Content {
  var readings: [Reading] {
    switch self {
    case .blank: []
    case .single(let reading): [reading]
    case .number(let readings): readings
    }
  }

  /// The labels one after another, with ? for those that are none; spaces between, where some are words. Nil for none at all.
  static func number(of readings: [Reading]) -> String? {
    if readings.isEmpty { return nil }
    let labels = readings.map { $0.label ?? "?" }
    return labels.joined(separator: labels.allSatisfy { $0.count == 1 } ? "" : " ")
  }
}
