import Foundation
import Kernels
import Synchronization

/// A fixed number of workers that share out numbered items.
///
/// Which worker takes which item is left to chance, so an item's result must not depend on its worker. Workers keep
/// looking for new items for 0.1 ms before they go to sleep: a step of training hands over work several times a
/// millisecond, and to wake a sleeping thread takes 0.05 ms.
public final class WorkerPool: Sendable {
  public let threads: Int
  private let team: Team

  /// A pool of `threads` workers; the caller's thread is one of them.
  public init(threads: Int) {
    precondition(threads >= 1)
    self.threads = threads
    let team = Team()
    self.team = team
    for _ in 1..<threads {
      Thread.detachNewThread { team.serve() }
    }
  }

  deinit { team.dismiss() }

  /// What is done with an item.
  public typealias Body = (_ worker: Int, _ item: Int) -> Void

  /// Calls `body(worker, item)` once for each item in 0..<count, items begun in ascending order.
  ///
  /// `worker` is below the number of workers and no two calls run at once with the same one, so it can name scratch
  /// memory. Returns when all are done. Asks for no memory, unless the caller does for the closure: one that is made
  /// once and kept does not.
  ///
  /// - Parameters:
  ///   - count: the number of items.
  ///   - limit: the most workers that take part; nil for all.
  ///   - body: what is done with an item.
  /// - Precondition: no other call is under way on this pool.
  public func forEach(
    _ count: Int, limit: Int? = nil, _ body: @escaping Body
  ) {
    team.share(count, workers: min(threads, limit ?? threads, count), body)
  }
}

/// The threads of a pool, and what they are at work on.
///
/// Unchecked, since `body` and `count` are written while no worker looks at them: before a round begins, after all who
/// take part in the last have finished.
private final class Team: @unchecked Sendable {
  /// The number of the call, and in the low bits how many workers take part in it. A helper that sees it change joins
  /// in if its own number is below that.
  private let round = Atomic(0)
  private static let workerBits = 16
  private let nextItem = Atomic(0)
  /// Helpers that have not finished the round.
  private let atWork = Atomic(0)
  /// Helpers that have started; work is shared among these, since a thread may be late or refused by the system.
  private let present = Atomic(0)
  private let asleep = Atomic(0)
  private let isDismissed = Atomic(false)
  private let isTaken = Atomic(false)
  private let alarm = NSCondition()
  private var count = 0
  private var body: WorkerPool.Body?

  func share(_ count: Int, workers: Int, _ body: @escaping WorkerPool.Body) {
    let wasTaken = isTaken.exchange(true, ordering: .acquiring)
    precondition(!wasTaken, "a pool takes one call at a time")
    defer { isTaken.store(false, ordering: .releasing) }
    let workers = min(workers, present.load(ordering: .acquiring) + 1)
    guard workers > 1 else {
      for item in 0..<count { body(0, item) }
      return
    }
    (self.count, self.body) = (count, body)
    nextItem.store(0, ordering: .relaxed)
    atWork.store(workers - 1, ordering: .relaxed)
    beginRound(workers: workers)
    work(as: 0, body)
    let patience = Patience()
    while atWork.load(ordering: .acquiring) > 0 {
      if !patience.lasts() { sched_yield() }
    }
    self.body = nil
  }

  func serve() {
    let worker = present.add(1, ordering: .acquiringAndReleasing).newValue
    // A round that began before did not count on this worker, so its number is not below that round's.
    var lastRound = 0
    while true {
      lastRound = awaitRound(after: lastRound)
      if isDismissed.load(ordering: .relaxed) { return }
      guard worker < lastRound & (1 << Self.workerBits - 1) else { continue }
      if let body { work(as: worker, body) }
      atWork.subtract(1, ordering: .releasing)
    }
  }

  func dismiss() {
    isDismissed.store(true, ordering: .relaxed)
    beginRound(workers: 0)
  }

  private func work(as worker: Int, _ body: WorkerPool.Body) {
    while true {
      let item = nextItem.add(1, ordering: .relaxed).oldValue
      guard item < count else { return }
      body(worker, item)
    }
  }

  private func beginRound(workers: Int) {
    let number = round.load(ordering: .relaxed) >> Self.workerBits + 1
    round.store(number << Self.workerBits | workers, ordering: .sequentiallyConsistent)
    // Whoever is not counted here has yet to look at the round again before it sleeps.
    guard asleep.load(ordering: .sequentiallyConsistent) > 0 else { return }
    alarm.lock()
    alarm.broadcast()
    alarm.unlock()
  }

  /// The next round's number, once there is one.
  private func awaitRound(after lastRound: Int) -> Int {
    let patience = Patience()
    repeat {
      let current = round.load(ordering: .acquiring)
      if current != lastRound { return current }
    } while patience.lasts()
    alarm.lock()
    defer { alarm.unlock() }
    asleep.add(1, ordering: .sequentiallyConsistent)
    defer { asleep.subtract(1, ordering: .relaxed) }
    while true {
      let current = round.load(ordering: .sequentiallyConsistent)
      if current != lastRound { return current }
      alarm.wait()
    }
  }
}

/// 0.1 ms of looking again and again.
private struct Patience {
  private let start = DispatchTime.now().uptimeNanoseconds

  /// Waits a moment; false once the time is over.
  func lasts() -> Bool {
    for _ in 0..<16 { inkling_pause() }
    return DispatchTime.now().uptimeNanoseconds - start < 100_000
  }
}
