import Charts
import PlainText
import Training

extension EvaluationPage {
  /// Whether confidence can be believed: accuracy by confidence, and how many images stand behind each bar.
  var calibrationSection: String {
    HTMLPage.section(
      "Can its confidence be believed?", id: "calibration",
      HTMLPage.note(
        "Left: of the images to which the model gives such a confidence, how many are right. On the dashed line "
          + "confidence and accuracy agree; below it the model is too sure. Right: how many images these are."
      ),
      #"<div class="scroll">\#(picture.element)</div>"#)
  }

  private var picture: SVGPicture {
    let (width, height) = (480.0, 320.0)
    let confidence = Axis("confidence (top probability, %)", range: 0...100, step: 20)
    let accuracy = ChartFrame(
      x: confidence, y: Axis("%", range: 0...100, step: 20), width: width, height: height)
    let bins = evaluation.calibration.bins
    let shares = bins.map { 100 * Double($0.count) / Double(evaluation.count) }
    let amount = ChartFrame(
      x: confidence, y: Axis("% of all images", around: [0] + shares), left: width, width: width,
      height: height)
    var parts = [accuracy.markup(title: "accuracy"), amount.markup(title: "images")]
    for (bin, share) in zip(bins, shares) where bin.count > 0 {
      let range = (100 * bin.low, 100 * bin.high)
      let images = "\(bin.count.of("image")) at \(range.0.fixed(0)) to \(range.1.fixed(0))% confidence"
      if let rate = bin.accuracy {
        parts.append(
          bar(accuracy, range, 100 * rate, color: 0, "\(images): \(rate.percent(images: bin.count)) right"))
      }
      parts.append(bar(amount, range, share, color: 1, images))
    }
    parts.append(
      #"<line class="dashed" x1="\#(accuracy.across(0).coordinate)" y1="\#(accuracy.down(0).coordinate)" "#
        + #"x2="\#(accuracy.across(100).coordinate)" y2="\#(accuracy.down(100).coordinate)"/>"#)
    return SVGPicture(
      width: 2 * width, height: height, description: "Accuracy by confidence, and images by confidence",
      content: parts.joined(separator: "\n"))
  }

  private func bar(
    _ frame: ChartFrame, _ range: (Double, Double), _ value: Double, color: Int, _ title: String
  ) -> String {
    let (left, right) = (frame.across(range.0) + 1, frame.across(range.1) - 1)
    let (top, bottom) = (frame.down(value), frame.down(0))
    return #"<rect class="bar color\#(color)" x="\#(left.coordinate)" y="\#(top.coordinate)" "#
      + #"width="\#((right - left).coordinate)" height="\#((bottom - top).coordinate)"><title>\#(title.escaped)</title></rect>"#
  }
}
