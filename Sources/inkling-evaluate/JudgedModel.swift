import Arguments
import Datasets
import Programs
import Training

/// A model that is judged, and where it lies.
struct JudgedModel {
  let path: String
  let checkpoint: Checkpoint

  /// Reads a checkpoint, or the best one of a run folder.
  init(_ path: String) throws(FileError) {
    self.path = try RunFolder.modelPath(path)
    checkpoint = try Checkpoint(contentsOf: self.path)
  }

  func predictions(for data: Dataset, threads: Int) -> Predictions {
    Predictions(of: checkpoint.deployed, for: data, threads: threads)
  }

  /// Throws a `MisfitError` unless the model takes such images and knows their classes.
  func requireFit(_ data: Dataset, isTransposed: Bool) throws(MisfitError) {
    let input = checkpoint.model.architecture.input
    guard input == data.shape else {
      throw MisfitError(
        "\(data.source): expected images of \(input) as \(path) takes them, "
          + "found \(data.shape); evaluate on data of the same kind")
    }
    guard checkpoint.classes.values == data.classes.values else {
      throw MisfitError(
        "\(path): expected a model of \(data.classes.count) classes with the same label values, "
          + "found one of \(checkpoint.classes.count); compare models of the same classes")
    }
    // Images on their side are taken for other images, which only shows as a poor result.
    if let trained = checkpoint.configuration?.data.transpose, trained != isTransposed {
      Terminal.writeError(
        "inkling-evaluate: warning: \(path) was trained \(trained ? "with" : "without") --transpose, "
          + "here the images are read \(trained ? "without" : "with") it\n")
    }
  }
}
