import Arguments
import Foundation
import PlainText
import Training

/// Training as a person follows it, on standard error: a live bar on a terminal, a plain line an epoch elsewhere.
struct ProgressDisplay {
  private let epochs: Int
  /// How many images the accuracies stand on.
  private let images: (training: Int, validation: Int)
  private let terminal = Terminal.standardError
  private let clock = ContinuousClock()
  private var lastDrawn: ContinuousClock.Instant?
  private var barIsShown = false

  init(epochs: Int, images: (training: Int, validation: Int)) {
    self.epochs = epochs
    self.images = images
  }

  mutating func show(_ event: TrainingEvent) {
    switch event {
    case .step(let record):
      guard terminal.isTerminal else { return }
      let now = clock.now
      // Ten times a second is as much as one can read.
      if let lastDrawn, now - lastDrawn < .milliseconds(100), record.step < record.stepsPerEpoch { return }
      lastDrawn = now
      drawBar(record)
    case .epoch(let record, let isBest):
      clearBar()
      Terminal.writeError(line(record, isBest: isBest) + "\n")
    }
  }

  /// Takes the bar away.
  mutating func finish() {
    clearBar()
  }

  private func line(_ record: EpochRecord, isBest: Bool) -> String {
    let number = record.epoch.groupedDigits.rightAligned(epochs.groupedDigits.count)
    var text =
      "epoch \(number)/\(epochs.groupedDigits)  loss \(record.trainingLoss.fixed(4))"
      + "  accuracy \(record.trainingAccuracy.percent(images: images.training))"
    if let accuracy = record.validationAccuracy {
      text += "  validation \(accuracy.percent(images: images.validation))" + (isBest ? " best" : "     ")
    }
    return text + "  \(Int(record.imagesPerSecond).groupedDigits) images/s"
  }

  private mutating func drawBar(_ record: StepRecord) {
    let start = "epoch \(record.epoch)/\(epochs) "
    let end =
      " loss \(record.loss.fixed(4))  accuracy \(record.accuracy.percent(images: images.training))  "
      + "\(Int(record.imagesPerSecond).groupedDigits) images/s  \(duration(record.secondsLeft)) left"
    // One column is left free: a full line would wrap. The bar takes what the numbers leave.
    let width = max(1, terminal.width - 1)
    let cells = min(20, max(0, width - start.count - end.count))
    let filled = cells * record.step / record.stepsPerEpoch
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
    Terminal.writeError("\r\u{1B}[K" + (start + bar + end).prefix(width))
    barIsShown = true
  }

  private mutating func clearBar() {
    if barIsShown { Terminal.writeError("\r\u{1B}[K") }
    barIsShown = false
  }

  /// 75 seconds as 1:15.
  private func duration(_ seconds: Double) -> String {
    let total = Int(seconds.rounded(.up))
    let clock = String(format: "%d:%02d", total / 60 % 60, total % 60)
    return total < 3600 ? clock : "\(total / 3600):" + (total / 60 % 60 < 10 ? "0" : "") + clock
  }
}
