import Testing

@testable import Training

struct ConfusionTextTests {
  @Test func zerosAreDots() {
    let matrix = ConfusionMatrixTests.matrix([[1200, 0], [3, 40]])
    #expect(
      matrix.table(names: ["no", "yes"]) == """
        confusion matrix: rows are the truth, columns the prediction
                no    yes
        no   1,200      ·
        yes      3     40
        """)
  }

  @Test func tooManyOrTooLikeNamesHaveNoTable() {
    func names(_ count: Int) -> [String] { (0..<count).map { "\($0)" } }
    #expect(ConfusionMatrix(classes: 12).table(names: names(12)) != nil)
    #expect(ConfusionMatrix(classes: 13).table(names: names(13)) == nil)
    // Cut to the six columns that are left, these read the same.
    #expect(ConfusionMatrix(classes: 10).table(names: names(10).map { "number \($0)" }) == nil)
  }

  @Test func listNamesTheMostFrequent() {
    let matrix = ConfusionMatrixTests.matrix([[9, 1, 0], [0, 9, 7], [1, 0, 9]])
    #expect(
      matrix.list(names: ["a", "b", "c"]) == """
        confusions, the most frequent first
        b taken for c: 7 times
        a taken for b: once
        c taken for a: once
        """)
    #expect(
      matrix.list(names: ["a", "b", "c"], limit: 1) == """
        the 1 most frequent of 3 confusions
        b taken for c: 7 times
        """)
  }
}
