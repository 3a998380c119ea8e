import Testing

@testable import Training

struct CalibrationTests {
  /// Worked by hand from Guo et al. 2017, equation 3.
  @Test func expectedErrorWeighsTheGapsByCount() {
    // (14/15, 1]: 3 images, mean 0.97, accuracy 2/3, gap 0.3033; (7/15, 8/15]: 1 image, gap 0.5.
    let calibration = Calibration(confidences: [0.95, 0.97, 0.99, 0.5], right: [true, false, true, true])
    // Float confidences are within 3e-8 of what is written above.
    let byHand = (0.95 + 0.97 + 0.99 - 2 + 0.5) / 4
    #expect(abs(calibration.expectedError - byHand) < 1e-7)
    #expect(calibration.bins.count == 15)
    let counts = calibration.bins.map { $0.count }
    #expect(counts == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3])
    #expect(calibration.bins[7].meanConfidence == 0.5)
    #expect(calibration.bins[7].accuracy == 1)
    #expect(calibration.bins[14].accuracy == 2.0 / 3)
    #expect(calibration.bins[0].meanConfidence == nil)
    #expect(calibration.bins[0].accuracy == nil)
  }

  /// A bin holds its upper bound and not its lower one.
  @Test(
    arguments: [
      (0, 0), (Float(1) / 15, 0), ((Float(1) / 15).nextUp, 1), (0.2, 2), (0.4, 5), (0.6, 8), (0.8, 11),
      (1, 14), (Float(1).nextUp, 14),
    ] as [(Float, Int)])
  func binsAreClosedAbove(confidence: Float, bin: Int) {
    let calibration = Calibration(confidences: [confidence], right: [true])
    #expect(calibration.bins.firstIndex { $0.count == 1 } == bin)
  }

  @Test func perfectConfidenceHasNoError() {
    #expect(Calibration(confidences: [1, 1], right: [true, true]).expectedError == 0)
  }
}
