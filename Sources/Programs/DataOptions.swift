import Arguments
import Datasets
import Foundation
import Training

/// The options that say where one part of a data set lies and how it is to be read.
public struct DataOptions: Sendable {
  let data = Option(
    "data", value: "DIR", default: "Data/mnist-5k",
    help: "Folder with IDX files under the names of MNIST, EMNIST or their relatives.")
  let images: Option<String?>
  let labels: Option<String?>
  public let transpose = Flag("transpose", help: "Swap height and width of each image, as EMNIST needs.")
  private let part: DatasetSource.Part

  public init(_ part: DatasetSource.Part) {
    let word = part == .training ? "train" : "test"
    self.part = part
    images = Option(
      "\(word)-images", value: "FILE", help: "IDX file of the \(part.rawValue) images, instead of --data.")
    labels = Option(
      "\(word)-labels", value: "FILE", help: "IDX file of the \(part.rawValue) labels, instead of --data.")
  }

  public var list: [any CommandOption] { [data, images, labels, transpose] }

  /// The options that name a place.
  public var placeOptionNames: [String] { [data.name, images.name, labels.name] }

  /// Whether a place was named on the command line.
  public func isGiven(_ arguments: ParsedArguments) -> Bool {
    !Set(arguments.givenNames).isDisjoint(with: placeOptionNames)
  }

  /// Where the data lies; throws a `UsageError` if images and labels are not named together.
  public func location(
    _ arguments: ParsedArguments, command: Command, classNames: String? = nil
  ) throws -> DataLocation {
    let (images, labels) = (arguments[images], arguments[labels])
    guard (images == nil) == (labels == nil) else {
      throw command.usageError("--\(self.images.name) and --\(self.labels.name) go together")
    }
    return DataLocation(
      folder: images == nil ? arguments[data] : nil, images: images, labels: labels,
      transpose: arguments[transpose], classNames: classNames)
  }
}

/// The option for the number of workers.
public let threadsOption = Option(
  "threads", value: "N", default: ProcessInfo.processInfo.activeProcessorCount, in: 1...1024,
  help: "Workers; results have the same bits for any number.")
