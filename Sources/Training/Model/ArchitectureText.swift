import Tensors

extension Architecture {
  /// Reads a network from one line, such as `conv 3x3 32, relu, maxpool 2, dense 10`.
  ///
  /// The layers, with what may be left out in brackets:
  /// - `conv HxW FILTERS [stride N] [same|valid] [groups N] [nobias]`
  /// - `depthwise HxW [stride N] [same|valid] [nobias]`: one filter a channel
  /// - `dense OUTPUTS [nobias]`, `relu`, `leakyrelu [SLOPE]`
  /// - `maxpool N [stride N]`, `avgpool N [stride N]`, `globalavgpool`; N may be HxW
  /// - `batchnorm`, `dropout RATE`, `flatten`
  public init(input: ImageShape, parsing text: String) throws(ArchitectureError) {
    try Architecture.check(input)
    var layers: [Layer] = []
    var shape = input
    for (position, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
      let words = part.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      var reader = LayerWords(position: position + 1, words: words)
      let layer = try reader.layer(after: shape)
      layers.append(layer)
      // The next layer may depend on this one's output; a misfit is reported below, for all layers alike.
      shape = (try? layer.checkedOutputShape(for: shape)) ?? shape
    }
    try self.init(input: input, layers: layers)
  }

  /// The line from which `init(input:parsing:)` makes the same layers.
  public var text: String { layers.map(\.description).joined(separator: ", ") }
}

/// The words of one layer, taken from the front.
private struct LayerWords {
  let position: Int
  let words: [String]
  private var next = 0

  init(position: Int, words: [String]) {
    self.position = position
    self.words = words
  }

  static let kinds = [
    "conv", "depthwise", "dense", "relu", "leakyrelu", "maxpool", "avgpool", "globalavgpool", "batchnorm",
    "dropout", "flatten",
  ]

  mutating func layer(after input: ImageShape) throws(ArchitectureError) -> Layer {
    guard let kind = word() else { throw error("expected a layer, found nothing") }
    let layer: Layer
    switch kind {
    case "conv":
      let kernel = try extent("a kernel such as 3x3")
      let filters = try count("a number of filters")
      layer = .convolution(try convolution(kernel: kernel, filters: filters, depthwise: nil))
    case "depthwise":
      let kernel = try extent("a kernel such as 3x3")
      layer = .convolution(
        try convolution(kernel: kernel, filters: input.channels, depthwise: input.channels))
    case "dense":
      layer = .dense(Dense(outputs: try count("a number of outputs"), hasBias: !take("nobias")))
    case "relu": layer = .rectifier(Rectifier())
    case "leakyrelu":
      let slope = next == words.count ? 0.01 : try fraction("a slope from 0 to below 1")
      layer = .rectifier(Rectifier(slope: slope))
    case "maxpool": layer = .pool(try pool(.maximum))
    case "avgpool": layer = .pool(try pool(.average))
    case "globalavgpool": layer = .globalAveragePool(GlobalAveragePool())
    case "batchnorm": layer = .batchNormalization(BatchNormalization())
    case "dropout": layer = .dropout(Dropout(rate: try fraction("a rate from 0 to below 1")))
    case "flatten": layer = .flatten(Flatten())
    default: throw error("there is no layer '\(kind)'; there are \(Self.kinds.joined(separator: ", "))")
    }
    if let surplus = word() { throw error("'\(surplus)' is not understood here") }
    return layer
  }

  private mutating func convolution(
    kernel: Extent, filters: Int, depthwise: Int?
  ) throws(ArchitectureError) -> Convolution {
    var result = Convolution(kernel: kernel, filters: filters, groups: depthwise ?? 1)
    let start = next
    while next < words.count {
      guard !words[start..<next].contains(words[next]) else { throw error("'\(words[next])' is given twice") }
      if take("stride") {
        result.stride = try extent("a stride such as 2")
      } else if take("same") {
        result.padding = .same
      } else if take("valid") {
        result.padding = .valid
      } else if take("nobias") {
        result.hasBias = false
      } else if depthwise == nil, take("groups") {
        result.groups = try count("a number of groups")
      } else {
        break
      }
    }
    return result
  }

  private mutating func pool(_ kind: Pool.Kind) throws(ArchitectureError) -> Pool {
    let kernel = try extent("a window such as 2")
    return Pool(kind, kernel: kernel, stride: take("stride") ? try extent("a stride such as 2") : nil)
  }

  private mutating func word() -> String? {
    guard next < words.count else { return nil }
    next += 1
    return words[next - 1]
  }

  private mutating func take(_ expected: String) -> Bool {
    guard next < words.count, words[next] == expected else { return false }
    next += 1
    return true
  }

  private mutating func count(_ expected: String) throws(ArchitectureError) -> Int {
    let found = word()
    guard let found, let value = Int(found), LayerWords.counts.contains(value) else {
      throw error("expected \(expected), found \(found.map { "'\($0)'" } ?? "nothing")")
    }
    return value
  }

  /// `3x5`, or `3` for 3x3.
  private mutating func extent(_ expected: String) throws(ArchitectureError) -> Extent {
    let found = word()
    let sides = (found ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(sides.count), let height = sides[0], let width = sides[sides.count - 1],
      LayerWords.sides.contains(height), LayerWords.sides.contains(width)
    else { throw error("expected \(expected), found \(found.map { "'\($0)'" } ?? "nothing")") }
    return Extent(height, width)
  }

  private mutating func fraction(_ expected: String) throws(ArchitectureError) -> Float {
    let found = word()
    guard let found, let value = Float(found), value >= 0, value < 1 else {
      throw error("expected \(expected), found \(found.map { "'\($0)'" } ?? "nothing")")
    }
    return value
  }

  private func error(_ reason: String) -> ArchitectureError {
    ArchitectureError(layer: position, text: words.joined(separator: " "), reason: reason)
  }

  // Bounds that keep products of a few of them far from overflow.
  private static let counts = 1...1_000_000
  private static let sides = 1...10_000
}
