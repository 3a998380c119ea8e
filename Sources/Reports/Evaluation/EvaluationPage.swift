import Charts
import Datasets
import PlainText
import Training

/// How good a model is, as one HTML page to look at and to pass on.
///
/// ```swift
/// let page = EvaluationPage(evaluation, predictions, on: test, model: "runs/lenet5/best.ckpt")
/// try page.write(to: "report.html")
/// ```
public struct EvaluationPage {
  let evaluation: Evaluation
  let predictions: Predictions
  let data: Dataset
  let model: String
  let rival: Rival?

  /// Another model that was judged on the same images.
  public struct Rival {
    public let name: String
    public let comparison: Comparison

    public init(name: String, comparison: Comparison) {
      self.name = name
      self.comparison = comparison
    }
  }

  /// The images of a confusion matrix's cell that the page shows at most.
  private static let mistakesPerCell = 40
  private static let rightPerCell = 20
  /// The pictures of a page at most, so that it stays a few megabytes.
  private static let pictureLimit = 6_000
  static let cardLimit = 24

  /// - Parameters:
  ///   - evaluation: what is to be shown.
  ///   - predictions: those from which it was made.
  ///   - data: the images, with their classes.
  ///   - model: what the model is called.
  ///   - rival: another model to compare it with, if any.
  /// - Precondition: all of them speak of the images of `data`.
  public init(
    _ evaluation: Evaluation, _ predictions: Predictions, on data: Dataset, model: String, rival: Rival? = nil
  ) {
    precondition(evaluation.count == data.count && predictions.count == data.count)
    self.evaluation = evaluation
    self.predictions = predictions
    self.data = data
    self.model = model
    self.rival = rival
  }

  /// The whole page, no byte of which depends on the clock or the machine.
  ///
  /// Pictures are most of it: some 250 kB for a model that is right on 99% of MNIST's test images.
  public var html: String {
    let ranking = ImageRanking(predictions)
    let cells = self.cells(ranking)
    let compared = rival.map { rival in
      [rival.comparison.onlyFirst, rival.comparison.onlySecond].flatMap {
        $0.prefix(Self.cardLimit).map(\.image)
      }
    }
    let sheet = PictureSheet(
      data: data, predictions: predictions, cells: cells,
      others: ranking.worst(Self.cardLimit) + ranking.leastSure(Self.cardLimit) + (compared ?? []))
    var page = HTMLPage(title: "\(percent(evaluation.accuracy)) accuracy: \(model)", sheet: sheet)
    page.sections = [
      heading, rival.map { comparisonSection($0, sheet) }, confusionSection, classSection, calibrationSection,
      cardSection(
        "The worst mistakes", id: "mistakes", note: "Wrong with the most confidence; the truth is green.",
        sheet.slots(of: ranking.worst(Self.cardLimit)), empty: "There is none."),
      cardSection(
        "Most alike to no class", id: "unsure",
        note: "No class is probable: the images with the lowest top probability, be it right or wrong.",
        sheet.slots(of: ranking.leastSure(Self.cardLimit)), empty: ""),
      footer,
    ].compactMap(\.self)
    return page.text
  }

  /// Writes the page; the file appears, or replaces an older one, only once it is complete.
  ///
  /// Throws a `FileError` if it cannot be written.
  public func write(to path: String) throws(FileError) {
    try AtomicFile.write(Array(html.utf8), to: path)
  }

  func percent(_ fraction: Double) -> String { fraction.percent(images: evaluation.count) }

  static func cell(_ truth: Int, _ prediction: Int) -> String { "\(truth)-\(prediction)" }

  /// The images to show of each cell; fewer where there would be too many of all.
  private func cells(_ ranking: ImageRanking) -> [String: [Int]] {
    var (mistakes, right) = (Self.mistakesPerCell, Self.rightPerCell)
    while true {
      let cells = ranking.cells(mistakes: mistakes, right: right)
      if cells.values.reduce(0, { $0 + $1.count }) <= Self.pictureLimit || mistakes + right == 0 {
        return cells
      }
      (mistakes, right) = (mistakes / 2, right / 2)
    }
  }

  private var heading: String {
    let interval = evaluation.accuracyInterval
    let range = "\(percent(interval.low)) to \(percent(interval.high))"
    var tiles = [(value: range, meaning: "95% interval of the accuracy (Wilson)")]
    tiles += evaluation.topK.filter { $0.k > 1 }.map {
      (value: percent($0.accuracy), meaning: "have the truth among the \($0.k) most probable classes")
    }
    tiles += [
      (value: percent(evaluation.macroF1), meaning: "macro F1, the mean of the classes' F1"),
      (value: evaluation.loss.threeDigits, meaning: "loss, mean cross-entropy in nats"),
      (value: percent(evaluation.calibration.expectedError), meaning: "expected calibration error"),
    ]
    let right = "\(evaluation.correct.groupedDigits) of \(evaluation.count.of("image")) right"
    return """
      <header>
      <h1>\(percent(evaluation.accuracy)) accuracy</h1>
      <p>\(right). Model <code>\(model.escaped)</code>, data <code>\(data.source.escaped)</code>.</p>
      \(HTMLPage.tiles(tiles))
      </header>
      """
  }

  private func cardSection(_ title: String, id: String, note: String, _ slots: [Int], empty: String) -> String
  {
    HTMLPage.section(
      title, id: id, slots.isEmpty ? HTMLPage.note(empty) : HTMLPage.note(note) + HTMLPage.cards(slots))
  }

  private var footer: String {
    """
    <footer><p>Images count from 0. An image is right if its true class is more probable than every other. \
    The calibration error is the mean gap between confidence and accuracy over \(Calibration.binCount) equal bins \
    of the top probability. Made by Inkling.</p></footer>
    """
  }
}
