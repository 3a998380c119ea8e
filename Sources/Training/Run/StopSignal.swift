import Synchronization

/// Asks a trainer, from a signal handler or another thread, to save and stop after the current step.
public final class StopSignal: Sendable {
  private let flag = Atomic(false)

  public init() {}

  public var isSet: Bool { flag.load(ordering: .relaxed) }

  public func set() { flag.store(true, ordering: .relaxed) }
}
