import Foundation
import Testing

@testable import Training

@Suite struct EventFileTests {
  /// Three records: of the version, of step 41's start and of two scalars of step 300.
  private func records() -> (bytes: [UInt8], ends: [Int]) {
    var records = EventRecords()
    var ends: [Int] = []
    records.appendVersion(wallTime: 1.5)
    ends.append(records.bytes.count)
    records.appendStart(wallTime: 1.5, step: 41)
    ends.append(records.bytes.count)
    records.appendScalars(wallTime: 2.25, step: 300) {
      $0.scalar("batch/loss", 0.125)
      $0.scalar("x", -3)
    }
    ends.append(records.bytes.count)
    return (records.bytes, ends)
  }

  /// The bytes that the record writer of TensorBoard 2.21 makes of the same events.
  @Test func recordsAreThoseOfTensorBoard() {
    let expected = """
      1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c\
      0f000000000000006d532b0909000000000000f83f10293a020801a6ac353d\
      2b00000000000000861bc34b09000000000000024010ac022a1d0a110a0a62617463682f6c6f7373150000003e\
      0a080a017815000040c02fa389c9
      """
    #expect(records().bytes.map { String(format: "%02x", $0) }.joined() == expected)
  }

  @Test func startsAnewInTheSameMemory() {
    var records = EventRecords()
    records.appendStart(wallTime: 1, step: 1)
    records.removeAll()
    records.appendVersion(wallTime: 1.5)
    let (bytes, ends) = self.records()
    #expect(records.bytes == Array(bytes[..<ends[0]]))
  }

  @Test func keepsTheStepsUpToTheLast() {
    let (bytes, ends) = records()
    for (step, expected) in [(0, 0), (40, 0), (41, 1), (299, 1), (300, 2), (.max, 2)] {
      #expect(EventRecords.byteCount(in: bytes, upTo: step) == ends[expected], "step \(step)")
    }
    // What stands behind a step beyond is cut off with it, whatever it is.
    #expect(EventRecords.byteCount(in: bytes + bytes, upTo: 41) == ends[1])
  }

  @Test func keepsWholeRecordsOnly() {
    let (bytes, ends) = records()
    for count in 0...bytes.count {
      let expected = ends.last { $0 <= count } ?? 0
      #expect(EventRecords.byteCount(in: Array(bytes[..<count]), upTo: .max) == expected, "\(count) bytes")
    }
    // A disk that lost power may hold zeros where a record was to be.
    #expect(
      EventRecords.byteCount(in: bytes + [UInt8](repeating: 0, count: 100), upTo: .max) == bytes.count)
  }

  @Test func keepsWhatStandsInFrontOfDamage() {
    let (bytes, ends) = records()
    for position in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << UInt8(bit)
        let expected = ends.last { $0 <= position } ?? 0
        #expect(EventRecords.byteCount(in: damaged, upTo: .max) == expected, "bit \(bit) of byte \(position)")
      }
    }
  }
}
