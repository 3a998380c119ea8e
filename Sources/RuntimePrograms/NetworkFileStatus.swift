import Arguments
import HostInference

// What programs share that run networks and train none: they link no linear algebra.

extension NetworkFileError: ExitStatusProviding {
  public var exitStatus: ExitStatus {
    switch kind {
    case .missing: .noInput
    case .malformed: .badData
    }
  }
}
