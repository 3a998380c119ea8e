import Foundation
import Testing

@testable import Datasets

@Suite struct ClassTableTests {
  @Test func namesAreTheValuesUnlessGiven() {
    #expect(ClassTable(values: [-1, 4]).names == ["-1", "4"])
  }

  @Test func codingKeepsTheTable() throws {
    let table = ClassTable(values: [1, 5], names: ["a", "b"])
    #expect(try JSONDecoder().decode(ClassTable.self, from: JSONEncoder().encode(table)) == table)
  }

  @Test(arguments: [
    #"{"values":[1,1],"names":["a","b"]}"#, #"{"values":[2,1],"names":["a","b"]}"#,
    #"{"values":[1],"names":[]}"#,
  ])
  func decodingRefusesWhatIsNoTable(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ClassTable.self, from: Data(text.utf8))
    }
  }
}
