import Charts
import Datasets
import Foundation
import PlainText
import Training

/// A training run as one HTML page: its curves, settings, data, and what its first layer looks for.
///
/// ```swift
/// try RunPage(folder: "runs/lenet5").write()
/// ```
public struct RunPage {
  /// The run folder.
  public let folder: String
  let record: RunRecord

  /// Reads a run folder; it may belong to a run that is still going on.
  ///
  /// Throws a `FileError` if it is no run folder, or if one of its files is damaged.
  public init(folder: String) throws(FileError) {
    self.folder = folder
    record = try RunRecord(folder: folder)
  }

  public var path: String { (folder as NSString).appendingPathComponent("report.html") }

  /// Writes `report.html` into the run folder. Throws a `FileError` if that cannot be done.
  public func write() throws(FileError) {
    try AtomicFile.write(Array(html.utf8), to: path)
  }

  /// The whole page, no byte of which depends on the clock.
  public var html: String {
    var page = HTMLPage(title: "Training: \(folder)")
    page.sections = [heading, curveSection, networkSection, filterSection, recipeSection, dataSection]
      .compactMap(\.self)
    return page.text
  }

  private var heading: String {
    let configuration = record.configuration
    let last = record.epochs.last
    var tiles: [(value: String, meaning: String)] = []
    let images = configuration.validationCount
    if let best = record.best?.progress, let accuracy = best.bestAccuracy, let epoch = best.bestEpoch {
      tiles.append(
        (accuracy.percent(images: images), "best validation accuracy, epoch \(epoch.groupedDigits)"))
    }
    if let last {
      if let loss = last.validationLoss {
        tiles.append((loss.threeDigits, "validation loss in nats, last epoch"))
      }
      tiles.append((last.trainingLoss.threeDigits, "training loss in nats, last epoch"))
      let rates = record.epochs.map(\.imagesPerSecond).sorted()
      tiles.append((Int(rates[rates.count / 2]).groupedDigits, "images a second, median of the epochs"))
      let seconds = record.epochs.reduce(0) { $0 + $1.seconds }
      tiles.append((Self.duration(seconds), "training time"))
    }
    let done = "\((last?.epoch ?? 0).groupedDigits) of \(configuration.epochs.of("epoch"))"
    return """
      <header>
      <h1>\((folder as NSString).lastPathComponent.escaped)</h1>
      <p>\(done) done in <code>\(folder.escaped)</code>: <code>\(configuration.layers.escaped)</code></p>
      \(HTMLPage.tiles(tiles))
      </header>
      """
  }

  private var curveSection: String {
    if record.epochs.isEmpty {
      return HTMLPage.section("Course", id: "curves", HTMLPage.note("No epoch is complete yet."))
    }
    let images = (record.data?.trainingCount ?? .max, record.configuration.validationCount)
    let rows = record.epochs.map { epoch in
      [
        epoch.epoch.groupedDigits, epoch.trainingLoss.fixed(4),
        epoch.trainingAccuracy.percent(images: images.0),
        epoch.validationLoss?.fixed(4) ?? "–", epoch.validationAccuracy?.percent(images: images.1) ?? "–",
        epoch.learningRate.threeDigits, Int(epoch.imagesPerSecond).groupedDigits, epoch.seconds.threeDigits,
      ]
    }
    let head = [
      "epoch", "training loss", "accuracy", "validation loss", "accuracy", "learning rate", "images/s",
      "seconds",
    ]
    return HTMLPage.section(
      "Course", id: "curves", #"<div class="scroll">\#(LearningCurve(record.epochs).element)</div>"#,
      "<details><summary>All epochs</summary>\(HTMLPage.table(head: head, rows, numbersFrom: 1))</details>")
  }

  private var recipeSection: String {
    HTMLPage.section(
      "Recipe", id: "recipe", HTMLPage.table(record.configuration.facts.map { [$0.name, $0.value] }))
  }

  private var networkSection: String? {
    guard let architecture = record.best?.model.architecture else { return nil }
    let rows = architecture.rows.map {
      [$0.layer, "\($0.output)", Architecture.cell($0.parameters), Architecture.cell($0.multiplyAdds)]
    }
    return HTMLPage.section(
      "Network", id: "network",
      HTMLPage.note(
        "\(architecture.parameterCount.groupedDigits) parameters, "
          + "\(architecture.multiplyAdds.groupedDigits) multiply-adds (MACs) an image."),
      HTMLPage.table(head: ["layer", "output", "parameters", "MACs"], rows, numbersFrom: 2))
  }

  /// 75 seconds as "1 min 15 s".
  private static func duration(_ seconds: Double) -> String {
    if seconds < 60 { return "\(seconds.threeDigits) s" }
    let total = Int(seconds.rounded())
    return total < 3600 ? "\(total / 60) min \(total % 60) s" : "\(total / 3600) h \(total / 60 % 60) min"
  }
}
