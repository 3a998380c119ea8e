import Datasets
import Inference
import PlainText

/// What storing a model in fewer bits did to it: size, accuracy before and after, error layer by layer.
public struct ExportReport: Sendable {
  public private(set) var byteCount: Int
  /// The bytes that the same network takes with float32 weights.
  public private(set) var floatByteCount: Int
  public let layers: [LayerError]
  /// Nil where none is refused.
  public let refusal: Refusal?
  /// Nil where there were no images to judge by.
  public let judgement: Judgement?

  /// How far stored weights are from those that were trained.
  public struct LayerError: Hashable, Sendable {
    public let layer: String
    public let parameterCount: Int
    public let byteCount: Int
    /// The root mean square error over the root mean square weight.
    public let relativeError: Double
  }

  /// Both models on the same images.
  public struct Judgement: Sendable {
    /// The model before is the first, the file the second.
    public let comparison: Comparison
    /// Images whose most probable class changed, be it right or wrong.
    public let flipped: Int
    /// Recall of each class after less before, fractions; nil for a class without images.
    public let recallChanges: [Double?]
    /// Images that the file refuses.
    public let refused: Int
  }

  /// Judges the written file by the runtime, and what it was made from by the training code if it was trained here.
  ///
  /// Throws an `InkError` if the file cannot be read, which would be a fault of the writer.
  public init(
    _ result: InkExport.Result, of source: ExportSource, on data: Dataset?, threads: Int
  ) throws {
    byteCount = result.bytes.count
    floatByteCount = result.tensors.reduce(byteCount) { $0 + 4 * $1.rows * $1.columns - $1.byteCount }
    layers = Self.layerErrors(result)
    refusal = result.refusal
    guard let data else {
      judgement = nil
      return
    }
    var network = try Network(copying: result.bytes)
    network.prepare()
    let before = try source.predictions(for: data, threads: threads)
    let after = Predictions(of: network, for: data, threads: threads)
    let (old, new) = (try Self.evaluation(before, data), try Self.evaluation(after, data))
    judgement = Judgement(
      comparison: try Comparison(before, after, classes: data.classes),
      flipped: (0..<data.count).count { before.mostProbable($0) != after.mostProbable($0) },
      recallChanges: zip(new.classScores, old.classScores).map { new, old in
        new.recall.flatMap { recall in old.recall.map { recall - $0 } }
      },
      refused: after.highest.count { $0 < network.refusalThreshold })
  }

  private static func evaluation(_ predictions: Predictions, _ data: Dataset) throws(EvaluationError)
    -> Evaluation
  {
    try Evaluation(
      probabilities: predictions.probabilities, truth: predictions.truths, losses: predictions.losses,
      classes: data.classes, mistakes: 0)
  }

  /// The report of the same network in a file of another format.
  ///
  /// - Parameter byteCount: of that file.
  public func of(fileOf byteCount: Int) -> ExportReport {
    var report = self
    report.byteCount = byteCount
    report.floatByteCount = byteCount + floatByteCount - self.byteCount
    return report
  }

  private static func layerErrors(_ result: InkExport.Result) -> [LayerError] {
    result.network.operations.compactMap { operation in
      let (name, weights): (String, Int)
      switch operation {
      case .convolution(let convolution):
        name = "conv \(convolution.window.height)x\(convolution.window.width) \(convolution.filters)"
        weights = convolution.weights
      case .dense(let dense): (name, weights) = ("dense \(dense.outputs)", dense.weights)
      default: return nil
      }
      let (exact, stored) = (result.network.tensors[weights].values, result.tensors[weights])
      let (error, size) = zip(exact, stored.values).reduce((0.0, 0.0)) { sums, pair in
        let difference = Double(pair.1) - Double(pair.0)
        return (sums.0 + difference * difference, sums.1 + Double(pair.0) * Double(pair.0))
      }
      return LayerError(
        layer: name, parameterCount: exact.count, byteCount: stored.byteCount,
        relativeError: size > 0 ? (error / size).squareRoot() : 0)
    }
  }
}

extension Predictions {
  /// The class with the highest probability; of several the first.
  func mostProbable(_ image: Int) -> Int {
    let row = row(of: image)
    return (row.indices.max { (row[$0], $1) < (row[$1], $0) } ?? row.startIndex) - row.startIndex
  }
}

extension ExportReport {
  /// The report for people, at most 80 columns wide.
  public var text: String {
    var table = TextTable([.left, .right, .right, .right])
    table.add(["layer", "parameters", "bytes", "relative error"])
    for layer in layers {
      table.add([
        layer.layer, layer.parameterCount.groupedDigits, layer.byteCount.groupedDigits,
        layer.relativeError == 0 ? "0" : "\((100 * layer.relativeError).threeDigits)%",
      ])
    }
    let share = (Double(byteCount) / Double(floatByteCount) * 100).fixed(0)
    let size =
      "size  \(byteCount.groupedDigits) bytes, \(share)% of the \(floatByteCount.groupedDigits) with float32 weights"
    return [size, judgement?.text, refusalText, table.text].compactMap(\.self).joined(separator: "\n\n")
  }
}

extension ExportReport {
  private var refusalText: String? {
    guard let refusal else { return nil }
    var counts = "\(refusal.refusedCount) of \(refusal.imageCount.groupedDigits) set aside"
    if let judgement {
      counts += ", \(judgement.refused) of \(judgement.comparison.count.groupedDigits) judged"
    }
    return """
      no class  below \((100 * Double(refusal.threshold)).fixed(1))%: \(counts)
      logits    divided by a temperature of \(refusal.temperature.fixed(3))
      """
  }
}

extension ExportReport.Judgement {
  fileprivate var text: String {
    let count = comparison.count
    let changes = zip(comparison.classes.names, recallChanges).compactMap {
      name, change -> (String, Double)? in
      guard let change, change != 0 else { return nil }
      return (name, change)
    }
    // The classes that lost or won the most.
    let shown = changes.sorted { abs($0.1) > abs($1.1) }.prefix(5).map { name, change in
      "\(name.cut(to: 12)) \(change > 0 ? "+" : "")\((100 * change).fixed(2))"
    }
    let perClass = shown.isEmpty ? "none" : shown.joined(separator: ", ") + " points"
    return """
      before  \(Evaluation.accuracyText(correct: comparison.first.correct, of: count, comparison.first.interval))
      after   \(Evaluation.accuracyText(correct: comparison.second.correct, of: count, comparison.second.interval))
      change  \((100 * -comparison.difference).fixed(2)) points, \
      \(flipped.of("answer")) of \(count.groupedDigits) flipped
      recall  \(perClass)
      """
  }
}

/// An export's report for programs.
public struct ExportReportJSON: Codable, Sendable {
  public var byteCount: Int
  public var floatByteCount: Int
  public var layers: [Layer]
  public var count: Int?
  public var accuracyBefore: Double?
  public var accuracyAfter: Double?
  public var flipped: Int?
  /// By class, after less before; null for a class without images.
  public var recallChanges: [Double?]?
  public var temperature: Double?
  public var refusalThreshold: Float?
  /// Of the judged images.
  public var refused: Int?
  /// Nil where the file was not read back.
  public var verification: ExportVerification?

  public struct Layer: Codable, Sendable {
    public var layer: String
    public var parameterCount: Int
    public var byteCount: Int
    public var relativeError: Double
  }

  public init(_ report: ExportReport, verification: ExportVerification? = nil) {
    self.verification = verification
    byteCount = report.byteCount
    floatByteCount = report.floatByteCount
    layers = report.layers.map {
      Layer(
        layer: $0.layer, parameterCount: $0.parameterCount, byteCount: $0.byteCount,
        relativeError: $0.relativeError)
    }
    count = report.judgement?.comparison.count
    accuracyBefore = report.judgement?.comparison.first.accuracy
    accuracyAfter = report.judgement?.comparison.second.accuracy
    flipped = report.judgement?.flipped
    recallChanges = report.judgement?.recallChanges
    temperature = report.refusal?.temperature
    refusalThreshold = report.refusal?.threshold
    refused = report.refusal == nil ? nil : report.judgement?.refused
  }
}
