import Arguments
import Datasets
@_exported import RuntimePrograms
import Training

// How each library's errors end a program; the libraries themselves know nothing of processes.

extension FileError: ExitStatusProviding {
  public var exitStatus: ExitStatus {
    switch kind {
    case .missing: .noInput
    case .malformed: .badData
    case .unwritable: .cannotCreate
    }
  }
}

extension ArchitectureError: ExitStatusProviding {
  public var exitStatus: ExitStatus { .usage }
}

extension AugmentationError: ExitStatusProviding {
  public var exitStatus: ExitStatus { .usage }
}

extension EvaluationError: ExitStatusProviding {
  public var exitStatus: ExitStatus { .badData }
}

extension ExportError: ExitStatusProviding {
  public var exitStatus: ExitStatus { .badData }
}

extension FineTuningError: ExitStatusProviding {
  public var exitStatus: ExitStatus { .badData }
}

extension TrainingError: ExitStatusProviding {
  public var exitStatus: ExitStatus {
    switch self {
    case .diverged: .internalError
    case .dataChanged, .incompleteCheckpoint: .badData
    case .tooLarge: .usage
    }
  }
}

/// Data or a model that a program cannot use together, in one line that says what to do.
public struct MisfitError: ExitStatusProviding, CustomStringConvertible {
  public let description: String
  public let exitStatus = ExitStatus.badData
  public let details: String?

  public init(_ description: String, details: String? = nil) {
    self.description = description
    self.details = details
  }
}
