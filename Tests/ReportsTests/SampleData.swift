import Datasets
import Tensors
import Reports
import Training

/// A tiny data set and what two made-up models say of it.
enum SampleData {
  /// Images of 2 × 2 pixels, all of one brightness, which counts up by 10.
  static func dataset(
    truth: [UInt16], names: [String], shape: ImageShape = ImageShape(channels: 1, height: 2, width: 2)
  ) -> Dataset {
    Dataset(
      shape: shape,
      pixels: truth.indices.flatMap {
        [UInt8](repeating: UInt8(truncatingIfNeeded: 10 * $0), count: shape.count)
      },
      labels: truth, classes: ClassTable(values: Array(names.indices), names: names), source: "sample")
  }

  /// A model's answers: for each image its class and how sure it is; the rest goes to the other classes evenly.
  static func predictions(_ answers: [(label: Int, confidence: Float)], truth: [UInt16], classes: Int)
    -> Predictions
  {
    let probabilities = answers.flatMap { answer in
      (0..<classes).map {
        $0 == answer.label ? answer.confidence : (1 - answer.confidence) / Float(classes - 1)
      }
    }
    return Predictions(
      probabilities: probabilities, losses: truth.map { _ in 0.5 }, truths: truth, classCount: classes)
  }

  static func page(
    truth: [UInt16], answers: [(label: Int, confidence: Float)], names: [String],
    rivalAnswers: [(label: Int, confidence: Float)]? = nil
  ) throws -> EvaluationPage {
    let data = dataset(truth: truth, names: names)
    let predictions = predictions(answers, truth: truth, classes: names.count)
    let evaluation = try Evaluation(
      probabilities: predictions.probabilities, truth: truth, losses: predictions.losses,
      classes: data.classes)
    let rival = try rivalAnswers.map {
      EvaluationPage.Rival(
        name: "rival",
        comparison: try Comparison(
          predictions, Self.predictions($0, truth: truth, classes: names.count), classes: data.classes))
    }
    return EvaluationPage(evaluation, predictions, on: data, model: "model", rival: rival)
  }
}
