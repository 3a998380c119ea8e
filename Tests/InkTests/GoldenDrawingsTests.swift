import Foundation
import Ink
import Testing

/// Drawings and the pictures that networks take of them, which `make golden-drawings` works out a second time.
struct GoldenDrawingsTests {
  struct Golden: Decodable {
    let name: String
    /// x and y of each point in turn.
    let strokes: [[Float]]
    let picture: Data

    var drawing: Drawing {
      Drawing(
        strokes: strokes.map { values in
          Stroke(
            points: stride(from: 0, to: values.count, by: 2).map {
              StrokePoint(x: values[$0], y: values[$0 + 1])
            })
        })
    }
  }

  @Test func eachPictureIsTheSameToTheBit() throws {
    let url = try #require(Bundle.module.url(forResource: "drawings", withExtension: "json"))
    let all = try JSONDecoder().decode([Golden].self, from: Data(contentsOf: url))
    #expect(all.count == 20)
    for golden in all {
      let found = try golden.drawing.normalized()
      let different = zip(found, golden.picture).count { $0 != $1 }
      #expect(found.count == 784 && golden.picture.count == 784 && different == 0, "\(golden.name)")
    }
  }
}
