import Synchronization
import Testing

@testable import Tensors

@Suite struct WorkerPoolTests {
  @Test(arguments: [1, 2, 3, 8], [0, 1, 2, 100])
  func eachItemIsDoneOnceAndNoWorkerTwiceAtATime(threads: Int, count: Int) {
    let done = Mutex([Int](repeating: 0, count: count))
    let busy = Mutex([Bool](repeating: false, count: threads))
    WorkerPool(threads: threads).forEach(count) { worker, item in
      let wasBusy = busy.withLock { busy in
        defer { busy[worker] = true }
        return busy[worker]
      }
      #expect(!wasBusy)
      done.withLock { $0[item] += 1 }
      busy.withLock { $0[worker] = false }
    }
    #expect(done.withLock { $0.allSatisfy { $0 == 1 } })
  }
}
