import Arguments
import Datasets
import Foundation
import HostInference
import PlainText
import Programs
import Tensors
import Training

/// A model that is judged, and where it lies: a checkpoint by the training code, an exported file by the runtime.
struct JudgedModel {
  let path: String
  let classes: ClassTable
  private let input: ImageShape
  private let content: Content
  /// Whether the model was trained on transposed images; nil where that is not known.
  private let isTransposed: Bool?

  private enum Content {
    case checkpoint(Checkpoint)
    case network(Network)
  }

  /// Reads a checkpoint, the best one of a run folder, or an `.ink` file.
  init(_ path: String) throws {
    self.path = try RunFolder.modelPath(path)
    if try FileReader(path: self.path).starts(with: InkFormat.magicBytes) {
      let network = try Network(contentsOf: URL(fileURLWithPath: self.path))
      let extent = network.input.extent
      content = .network(network)
      input = ImageShape(channels: extent.channels, height: extent.height, width: extent.width)
      classes = ClassTable(values: (0..<network.classCount).map(network.labelValue), names: network.labels)
      isTransposed = nil
    } else {
      let checkpoint = try Checkpoint(contentsOf: self.path)
      content = .checkpoint(checkpoint)
      input = checkpoint.model.architecture.input
      classes = checkpoint.classes
      isTransposed = checkpoint.configuration?.data.transpose
    }
  }

  func predictions(for data: Dataset, threads: Int) -> Predictions {
    switch content {
    case .checkpoint(let checkpoint): Predictions(of: checkpoint.deployed, for: data, threads: threads)
    case .network(let network): Predictions(of: network, for: data, threads: threads)
    }
  }

  /// Throws a `MisfitError` unless the model takes such images and knows their classes.
  func requireFit(_ data: Dataset, isTransposed: Bool) throws(MisfitError) {
    guard input == data.shape else {
      throw MisfitError(
        "\(data.source): expected images of \(input) as \(path) takes them, "
          + "found \(data.shape); evaluate on data of the same kind")
    }
    guard classes.values == data.classes.values else {
      throw MisfitError(
        "\(path): expected a model of \(data.classes.count.groupedDigits) classes with the same label values, "
          + "found one of \(classes.count.groupedDigits); compare models of the same classes")
    }
    // Images on their side are taken for other images, which only shows as a poor result.
    if let trained = self.isTransposed, trained != isTransposed {
      Terminal.writeError(
        "inkling-evaluate: warning: \(path) was trained \(trained ? "with" : "without") --transpose, "
          + "here the images are read \(trained ? "without" : "with") it\n")
    }
  }
}
