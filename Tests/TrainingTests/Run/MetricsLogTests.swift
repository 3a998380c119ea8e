import Foundation
import Testing

@testable import Training

@Suite struct MetricsLogTests {
  @Test func isCutBackAndContinued() throws {
    let path = NSTemporaryDirectory() + "inkling-\(UUID().uuidString).csv"
    defer { unlink(path) }
    func record(_ epoch: Int) -> EpochRecord {
      EpochRecord(
        epoch: epoch, step: 10 * epoch, learningRate: 0.125, trainingLoss: 0.5, trainingAccuracy: 0.75,
        validationLoss: nil, validationAccuracy: epoch == 1 ? nil : 0.5, imagesPerSecond: 1234.4, seconds: 2)
    }
    var log = MetricsLog(path: path, epochs: 0)
    for epoch in 1...3 { try log.append(record(epoch)) }
    var resumed = MetricsLog(path: path, epochs: 1)
    try resumed.append(record(2))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      text == """
        epoch,step,learning_rate,train_loss,train_accuracy,validation_loss,validation_accuracy,images_per_second,seconds
        1,10,0.125,0.500000,0.750000,,,1234,2.000
        2,20,0.125,0.500000,0.750000,,0.500000,1234,2.000

        """)
  }
}
