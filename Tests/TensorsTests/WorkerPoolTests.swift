import Foundation
import Synchronization
import Testing

@testable import Tensors

@Suite struct WorkerPoolTests {
  @Test(arguments: [1, 2, 3, 8])
  func eachItemIsDoneOnceAndNoWorkerTwiceAtATime(threads: Int) {
    let pool = WorkerPool(threads: threads)
    for call in 0..<600 {
      let (count, limit) = ([0, 1, 2, 3, 100][call % 5], call % 7 == 0 ? nil : 1 + call % 4)
      let done = Mutex([Int](repeating: 0, count: count))
      let busy = Mutex([Bool](repeating: false, count: min(threads, limit ?? threads)))
      pool.forEach(count, limit: limit) { worker, item in
        // Out of range for a worker beyond the limit.
        let wasBusy = busy.withLock { busy in
          defer { busy[worker] = true }
          return busy[worker]
        }
        #expect(!wasBusy)
        done.withLock { $0[item] += 1 }
        busy.withLock { $0[worker] = false }
      }
      #expect(done.withLock { $0.allSatisfy { $0 == 1 } })
      // Long enough for the workers to fall asleep.
      if call % 50 == 49 { usleep(1000) }
    }
  }

  /// Two items that wait for each other: only two workers get them done, also when they have to be woken.
  @Test(.timeLimit(.minutes(1)))
  func workersWorkAtTheSameTime() {
    let pool = WorkerPool(threads: 2)
    // A worker may be late to its first call.
    usleep(100_000)
    for _ in 0..<20 {
      let arrived = Atomic(0)
      pool.forEach(2) { _, _ in
        arrived.add(1, ordering: .sequentiallyConsistent)
        while arrived.load(ordering: .sequentiallyConsistent) < 2 { sched_yield() }
      }
      usleep(1000)
    }
  }

  #if os(Linux)
    @Test func aPoolThatIsGoneLeavesNoThreads() throws {
      func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
      }
      let before = try threads()
      for _ in 0..<20 {
        let pool = WorkerPool(threads: 9)
        pool.forEach(20) { _, _ in }
        usleep(2000)
      }
      // Other tests run beside this one and have threads of their own; 160 are too many all the same.
      for _ in 0..<100 where try threads() > before + 80 { usleep(20_000) }
      #expect(try threads() <= before + 80)
    }
  #endif
}
