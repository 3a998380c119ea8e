import Datasets
import Foundation
import Testing

@testable import Training

@Suite final class MetricsLogTests {
  private let path = NSTemporaryDirectory() + "inkling-\(UUID().uuidString).csv"

  deinit { unlink(path) }

  private func record(_ epoch: Int) -> EpochRecord {
    EpochRecord(
      epoch: epoch, step: 10 * epoch, learningRate: 0.125, trainingLoss: 0.5, trainingAccuracy: 0.75,
      validationLoss: nil, validationAccuracy: epoch == 1 ? nil : 0.5, imagesPerSecond: 1234, seconds: 2)
  }

  private func write(_ lines: [String]) throws {
    let text = lines.map { $0 + "\n" }.joined()
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  private var text: String {
    get throws { try String(contentsOfFile: path, encoding: .utf8) }
  }

  @Test func isCutBackAndContinued() throws {
    var log = MetricsLog(path: path, epochs: 0)
    for epoch in 1...3 { try log.append(record(epoch)) }
    #expect(log.records == [record(1), record(2), record(3)])
    var resumed = MetricsLog(path: path, epochs: 1)
    #expect(resumed.records == [record(1)])
    try resumed.append(record(2))
    #expect(
      try text == """
        epoch,step,learning_rate,train_loss,train_accuracy,validation_loss,validation_accuracy,images_per_second,seconds
        1,10,0.125,0.500000,0.750000,,,1234,2.000
        2,20,0.125,0.500000,0.750000,,0.500000,1234,2.000

        """)
    #expect(try MetricsLog.read(path) == [record(1), record(2)])
  }

  /// A resumed run writes the lines of the earlier process again to the letter.
  @Test func keepsTheDigitsOfEarlierLines() throws {
    let lines = [
      MetricsLog.header, "1,10,1.2e-07,0.10000000000001,0.9,,,99999,0.001", "2,20,3e+20,12345678.5,1,0,0,1,1",
    ]
    try write(lines)
    try MetricsLog(path: path, epochs: 2).write()
    #expect(try text == lines.map { $0 + "\n" }.joined())
    #expect(try MetricsLog.read(path).map(\.learningRate) == [1.2e-07, 3e+20])
  }

  @Test(
    arguments: [
      "", "1", "2,20,0.1,0.5,0.7,,,1234", "2,20,0.1,0.5,0.7,,,1234,2,", "x,20,0.1,0.5,0.7,,,1234,2",
      "2,0,0.1,0.5,0.7,,,1234,2", "2,20,0.1,nan,0.7,,,1234,2", "2,20,0.1,0.5,0.7,y,,1234,2",
      "2,20,0.1,0.5,0.7,,,1e19,2", "2,20,0.1,0.5,0.7,,,1234,1e30", "2,20,0.1,0.5,0.7,,,-1,2",
      "2,20,,0.5,0.7,,,1234,2", "0,20,0.1,0.5,0.7,,,1234,2",
      "1,20,0.1,0.5,0.7,,,1234,2", "2,10,0.1,0.5,0.7,,,1234,2",  // the epoch, the step once more
    ])
  func aDamagedLineIsNamedWhereItIsReadAndDroppedWhereTheRunGoesOn(damaged: String) throws {
    let (before, after) = ("1,10,0.1,0.5,0.7,,,1234,2", "3,30,0.1,0.5,0.7,,,1234,2")
    try write([MetricsLog.header, before, damaged, after])
    let error = #expect(throws: FileError.self) { try MetricsLog.read(path) }
    #expect(error?.kind == .malformed && error?.found == "\"\(damaged)\"")
    #expect(error?.description.hasPrefix("\(path) in line 3: expected a later epoch") == true)
    let log = MetricsLog(path: path, epochs: 3)
    #expect(log.records.map(\.epoch) == [1, 3])
    try log.write()
    #expect(try text == [MetricsLog.header, before, after].map { $0 + "\n" }.joined())
  }

  @Test func whatIsNoLogIsAnError() throws {
    let missing = #expect(throws: FileError.self) { try MetricsLog.read(path) }
    #expect(missing?.kind == .missing)
    for (lines, found) in [([], "an empty file"), (["epoch,loss", "1,2"], "\"epoch,loss\"")] {
      try write(lines)
      let error = #expect(throws: FileError.self) { try MetricsLog.read(path) }
      #expect(error?.line == 1 && error?.found == found)
    }
    try write([MetricsLog.header])
    #expect(try MetricsLog.read(path) == [])
  }

  @Test func startsAnewWhereThereIsNoFile() throws {
    try MetricsLog(path: path, epochs: 5).write()
    #expect(try text == MetricsLog.header + "\n")
  }
}
