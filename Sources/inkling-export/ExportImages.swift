import Arguments
import Datasets
import Programs
import Training

// The images that an export looks at.
extension ExportSubject {
  /// Training images that calibration looks at.
  private static let calibrationCount = 500

  /// Images that the weights were fitted to, so that none to be judged by is looked at.
  func calibration(_ folder: String) throws -> Dataset {
    let transpose = checkpoint?.configuration?.data.transpose ?? false
    let data = try DataLocation(folder: folder, transpose: transpose).load(.training, classes: classes)
    try requireFit(data)
    let count = min(Self.calibrationCount, data.count)
    // Spread over the whole set, which may be sorted by class.
    return data.images(at: (0..<count).map { $0 * data.count / count })
  }

  /// The images that training set aside, which the weights were not fitted to.
  func refusal(_ share: Double) throws -> Refusal.Rule {
    guard let configuration = checkpoint?.configuration, configuration.validationCount > 0 else {
      throw MisfitError("--refuse: \(path) was trained without images set aside to judge by; train it again")
    }
    return Refusal.Rule(images: try configuration.validationImages(classes), share: share)
  }

  /// The test images: those that are named, or else those beside the run's training data, if they are still there.
  func judges(_ arguments: ParsedArguments) throws -> Dataset? {
    if ExportOptions.data.isGiven(arguments) {
      let location = try ExportOptions.data.location(arguments, command: ExportOptions.command)
      let data = try location.load(.test, classes: classes)
      try requireFit(data)
      return data
    }
    guard let location = checkpoint?.configuration?.data, location.folder != nil else { return nil }
    do throws(FileError) {
      return try location.load(.test, classes: classes)
    } catch {
      Terminal.writeError("inkling-export: warning: not judged, since there are no test images: \(error)\n")
      return nil
    }
  }
}
