import Testing

@testable import Training

struct ClassScoresTests {
  /// Worked by hand from TP/(TP+FP), TP/(TP+FN) and 2TP/(2TP+FP+FN).
  @Test func followTheDefinitions() {
    // Column sums 8, 12, 5; row sums 10, 10, 5.
    let scores = ConfusionMatrixTests.matrix([[6, 4, 0], [2, 8, 0], [0, 0, 5]]).classScores
    let (precision, recall): ([Double?], [Double?]) = ([0.75, 2.0 / 3, 1], [0.6, 0.8, 1])
    let f1: [Double?] = [2.0 / 3, 8.0 / 11, 1]
    #expect(scores.map(\.precision) == precision)
    #expect(scores.map(\.recall) == recall)
    #expect(scores.map(\.f1) == f1)
    #expect(scores.map(\.support) == [10, 10, 5])
    // One rounding for each addition is allowed.
    let mean = (2.0 / 3 + 8.0 / 11 + 1) / 3
    #expect(abs((scores.macroF1 ?? 0) - mean) < 1e-15)
  }

  /// As scikit-learn's `f1_score(average="macro")`: classes in neither truth nor prediction do not count.
  @Test func undefinedScoresAreNil() {
    // 0 is never predicted, 1 has no image, 2 neither.
    let scores = ConfusionMatrixTests.matrix([[0, 3, 0], [0, 0, 0], [0, 0, 0]]).classScores
    #expect(scores.map(\.precision) == [nil, 0, nil])
    #expect(scores.map(\.recall) == [0, nil, nil])
    #expect(scores.map(\.f1) == [0, 0, nil])
    #expect(scores.macroF1 == 0)
    #expect(ConfusionMatrix(classes: 2).classScores.macroF1 == nil)
  }
}
