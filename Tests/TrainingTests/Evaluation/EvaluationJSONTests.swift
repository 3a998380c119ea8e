import Datasets
import Foundation
import Testing

@testable import Training

struct EvaluationJSONTests {
  /// Two classes, one of them never predicted, so that nulls appear.
  private func small() throws -> Evaluation {
    try Evaluation(
      probabilities: [0.75, 0.25, 0.998, 0.002], truth: [0, 1], losses: [0.25, 6.25],
      classes: ClassTable(values: [4, 9], names: ["4", "a/\"9\""]))
  }

  /// The format that programs read: keys are sorted, undefined is null, fractions throughout.
  @Test func bytesAreStable() throws {
    let text = String(decoding: try EvaluationJSON(small()).encoded(), as: UTF8.self)
    // The low end of 1 of 2 as scipy computes it, to the places that any summation order keeps.
    #expect(text.hasPrefix(#"{"accuracy":0.5,"accuracyHigh":0.90546879"#))
    #expect(text.contains(#","accuracyLow":0.0945312"#))
    let empty = #"{"accuracy":null,"count":0,"high":0.06666666666666667,"low":0,"meanConfidence":null}"#
    #expect(text.contains(#","calibrationBins":["# + empty))
    let full = #"{"accuracy":1,"count":1,"high":0.8,"low":0.7333333333333333,"meanConfidence":0.75}"#
    #expect(text.contains(full))
    #expect(text.contains(#","confusionMatrix":[[1,0],[1,0]],"correct":1,"count":2,"#))
    #expect(text.contains(#","loss":3.25,"macroF1":0.3333333333333333,"#))
    #expect(
      text.hasSuffix(
        #""mistakes":[{"image":1,"prediction":"4","probability":0.998,"probabilityOfTruth":0.002,"#
          + #""truth":"a/\"9\""}],"perClass":["#
          + #"{"f1":0.6666666666666666,"label":"4","precision":0.5,"recall":1,"support":1},"#
          + #"{"f1":0,"label":"a/\"9\"","precision":null,"recall":0,"support":1}],"#
          + #""topK":[{"accuracy":0.5,"k":1}]}"#))
  }

  @Test func decodesWhatItEncodes() throws {
    let json = EvaluationJSON(try EvaluationTests.animals())
    let data = try json.encoded()
    #expect(try JSONDecoder().decode(EvaluationJSON.self, from: data) == json)
    #expect(try json.encoded() == data)
  }
}
