import Dispatch
import Synchronization

/// A fixed number of workers that share out numbered items.
///
/// Which worker takes which item is left to chance, so an item's result must not depend on its worker.
public struct WorkerPool: Sendable {
  public let threads: Int

  /// A pool of `threads` workers; the caller's thread is one of them.
  public init(threads: Int) {
    precondition(threads >= 1)
    self.threads = threads
  }

  /// Calls `body(worker, item)` once for each item in 0..<count, items begun in ascending order.
  ///
  /// `worker` is in 0..<threads and no two calls run at once with the same one, so it can name scratch
  /// memory. Returns when all are done.
  public func forEach(_ count: Int, _ body: (_ worker: Int, _ item: Int) -> Void) {
    let workers = min(threads, count)
    guard workers > 1 else {
      for item in 0..<count { body(0, item) }
      return
    }
    withoutActuallyEscaping(body) { body in
      // Not Sendable, so that a body may hold pointers into its caller's memory; the caller keeps items apart.
      nonisolated(unsafe) let body = body
      let next = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: workers) { worker in
        while true {
          let item = next.add(1, ordering: .relaxed).oldValue
          guard item < count else { return }
          body(worker, item)
        }
      }
    }
  }
}
