import Charts

/// The course of a run as a picture: loss, accuracy and learning rate by epoch.
public struct LearningCurve: Sendable {
  private let picture: SVGPicture

  // Pixels: two charts side by side, the learning rate below both.
  private static let width = 960.0
  private static let height = 300.0
  private static let rateHeight = 180.0

  public init(_ records: [EpochRecord]) {
    let epochs = records.map { Double($0.epoch) }
    let x = Axis("epoch", around: [0] + epochs, count: 10, smallestStep: 1)
    func line(_ name: String, _ value: (EpochRecord) -> Double?) -> LineChart.Line {
      LineChart.Line(name, records.compactMap { record in value(record).map { (Double(record.epoch), $0) } })
    }
    let loss = LineChart(
      "loss", unit: "nats", x: x, floor: 0,
      lines: [line("training") { $0.trainingLoss }, line("validation") { $0.validationLoss }])
    let accuracy = LineChart(
      "accuracy", unit: "%", x: x,
      lines: [
        line("training") { 100 * $0.trainingAccuracy },
        line("validation") { $0.validationAccuracy.map { 100 * $0 } },
      ])
    let rate = LineChart(
      "learning rate", unit: "at the epoch's end", x: x, floor: 0,
      lines: [line("rate") { Double($0.learningRate) }])
    let half = Self.width / 2
    picture = SVGPicture(
      width: Self.width, height: Self.height + Self.rateHeight,
      description: "Loss, accuracy and learning rate over \(records.count) epochs",
      content: [
        loss.markup(width: half, height: Self.height),
        accuracy.markup(left: half, width: half, height: Self.height),
        rate.markup(top: Self.height, width: Self.width, height: Self.rateHeight),
      ].joined(separator: "\n"))
  }

  /// An SVG file of its own.
  public var svg: String { picture.file }

  /// The element for a page that has the charts' style.
  package var element: String { picture.element }
}
