import Kernels
import Testing
import WideKernels

@Suite struct PeakTests {
  @Test func allSumsAreWorkedOut() throws {
    var count = 0
    let sets = try #require(inkling_kernels(&count))
    for set in (0..<count).map({ sets[$0] }) + [inkling_wide_kernels()] {
      let loops = try #require(set).pointee
      // ½, then three times half of itself and a half: 15/16 in each lane of each of the sums, without rounding.
      let sums = Int(loops.lanes) * Int(INKLING_PEAK_OPERATIONS) / 2
      #expect(loops.peak(3, 0.5) == Float(sums) * 15 / 16)
    }
  }
}
