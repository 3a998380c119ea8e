import Foundation
import Kernels

/// The inner loops for one instruction set.
///
/// Results of different sets agree but for rounding: only some fuse a multiplication with the addition after it.
public struct KernelSet: Sendable, CustomStringConvertible {
  /// `avx512`, `avx2`, `neon` or `portable`.
  public let name: String
  /// Floats in a vector.
  public let lanes: Int
  // Pointers to C functions, which hold no state.
  private nonisolated(unsafe) let loops: InklingKernels

  init(_ loops: InklingKernels) {
    self.loops = loops
    name = String(cString: loops.name)
    lanes = Int(loops.lanes)
  }

  public var description: String { name }

  /// The sets that this processor can run, the best first.
  public static let available: [KernelSet] = {
    var count = 0
    guard let sets = inkling_kernels(&count) else { return [] }
    return (0..<count).compactMap { sets[$0].map { KernelSet($0.pointee) } }
  }()

  /// The set in use: the best, or the one that the environment variable `INKLING_KERNELS` names.
  ///
  /// A name that this processor has no set for ends the program: whoever names one wants no other.
  public static let current: KernelSet = {
    guard let wanted = ProcessInfo.processInfo.environment["INKLING_KERNELS"], !wanted.isEmpty else {
      return available[0]
    }
    guard let set = available.first(where: { $0.name == wanted }) else {
      let names = available.map(\.name).joined(separator: ", ")
      let message = "INKLING_KERNELS=\(wanted): this processor runs \(names); name one of these, or none\n"
      FileHandle.standardError.write(Data(message.utf8))
      exit(64)
    }
    return set
  }()
}

// What each loop computes, and what it may read and write, stands in Kernels.h.
extension KernelSet {
  /// Columns of a tile: places of an output, images of a shard, or filters.
  public static let columns = Int(INKLING_COLUMNS)
  /// Values of working memory that a product needs.
  public static let panelCount = Int(INKLING_PANEL_ROWS * INKLING_COLUMNS)
  /// Rows that fit into the strip of a correlation.
  public static let stripRows = Int(INKLING_STRIP_ROWS)

  /// Tiles side by side that `count` columns take.
  public static func panels(_ count: Int) -> Int { (count + columns - 1) / columns }

  public func packRows(
    _ matrix: UnsafePointer<Float>, rows: Int, inner: Int, rowStep: Int, innerStep: Int,
    into packed: UnsafeMutablePointer<Float>
  ) {
    loops.packRows(matrix, rows, inner, rowStep, innerStep, packed)
  }

  public func packPanel(
    _ planes: UnsafePointer<Float>, filters: Int, places: Int, step: Int,
    into panel: UnsafeMutablePointer<Float>
  ) {
    loops.packPanel(planes, filters, places, step, panel)
  }

  public func run(_ job: InklingCorrelation) {
    withUnsafePointer(to: job) { loops.correlate($0) }
  }

  public func run(_ job: InklingScattering) {
    withUnsafePointer(to: job) { loops.scatter($0) }
  }

  public func run(_ job: InklingOuterProduct) {
    withUnsafePointer(to: job) { loops.outerProduct($0) }
  }

  public func run(_ job: InklingProduct) {
    withUnsafePointer(to: job) { loops.product($0) }
  }

  public func run(_ job: InklingMaximum) {
    withUnsafePointer(to: job) { loops.maximum($0) }
  }

  public func run(_ job: InklingRandomMask) {
    withUnsafePointer(to: job) { loops.randomMask($0) }
  }

  public func run(_ job: InklingMomentum) {
    withUnsafePointer(to: job) { loops.updateByMomentum($0) }
  }

  public func run(_ job: InklingMoments) {
    withUnsafePointer(to: job) { loops.updateByMoments($0) }
  }

  /// The most that `threads` threads together multiply and add with this set, in GFLOP/s, two operations a
  /// multiply-add: the best of some tries of 5 ms, on registers alone.
  public func peakRate(threads: Int) -> Double {
    let rounds = 2_000_000
    let operations = Double(rounds * lanes * Int(INKLING_PEAK_OPERATIONS) * threads)
    let clock = ContinuousClock()
    let pool = WorkerPool(threads: threads)
    return (0..<20).reduce(0) { best, _ in
      let seconds =
        clock.measure {
          pool.forEach(threads) { _, _ in _ = loops.peak(rounds, 0.5) }
        } / .seconds(1)
      return max(best, operations / seconds / 1e9)
    }
  }
}
