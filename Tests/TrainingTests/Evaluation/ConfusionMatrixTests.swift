import Testing

@testable import Training

struct ConfusionMatrixTests {
  /// Counts `rows` into a matrix.
  static func matrix(_ rows: [[Int]]) -> ConfusionMatrix {
    var matrix = ConfusionMatrix(classes: rows.count)
    for (truth, row) in rows.enumerated() {
      for (prediction, count) in row.enumerated() {
        for _ in 0..<count { matrix.add(truth: truth, prediction: prediction) }
      }
    }
    return matrix
  }

  @Test func rowsAreTheTruth() {
    var matrix = ConfusionMatrix(classes: 2)
    matrix.add(truth: 0, prediction: 1)
    matrix.add(truth: 0, prediction: 1)
    matrix.add(truth: 1, prediction: 1)
    #expect(matrix.rows == [[0, 2], [0, 1]])
    #expect(matrix[truth: 0, prediction: 1] == 2)
    #expect(matrix[truth: 1, prediction: 0] == 0)
  }

  @Test func confusionsAreSortedByCountThenClasses() {
    let found = Self.matrix([[9, 1, 0], [4, 9, 1], [1, 0, 9]]).confusions
    #expect(found.map(\.count) == [4, 1, 1, 1])
    #expect(found.map(\.truth) == [1, 0, 1, 2])
    #expect(found.map(\.prediction) == [0, 1, 2, 0])
  }
}
