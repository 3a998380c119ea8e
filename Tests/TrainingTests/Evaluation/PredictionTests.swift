import Testing

@testable import Training

struct PredictionTests {
  @Test(arguments: [
    // row, truth, label, rank of the truth
    ([0.1, 0.7, 0.2] as [Float], 1, 1, 0),
    ([0.1, 0.7, 0.2], 2, 1, 1),
    ([0.1, 0.7, 0.2], 0, 1, 2),
    // A tie at the top is a mistake, whichever of the two is the truth.
    ([0.4, 0.4, 0.2], 0, 1, 1),
    ([0.4, 0.4, 0.2], 1, 0, 1),
    ([0.25, 0.25, 0.25, 0.25], 0, 1, 3),
    ([0.25, 0.25, 0.25, 0.25], 3, 0, 3),
    // The lowest of the tied classes above the truth is the prediction.
    ([0.1, 0.2, 0.35, 0.35], 0, 2, 3),
    ([1], 0, 0, 0),
  ])
  func ranksTheTruth(row: [Float], truth: Int, label: Int, rank: Int) {
    // A slice that does not start at 0, as the rows of a batch.
    let slice = ([9, 9] + row)[2...]
    let prediction = Prediction(row: slice, truth: truth)
    #expect(prediction.label == label)
    #expect(prediction.confidence == row[label])
    #expect(prediction.rankOfTruth == rank)
  }
}
