import Foundation
import Testing

@testable import Reports

struct EvaluationPageTests {
  private let truth: [UInt16] = [0, 0, 0, 1, 1, 2]
  private let answers: [(label: Int, confidence: Float)] = [
    (0, 0.9), (0, 0.6), (1, 0.8), (1, 0.7), (2, 0.5), (2, 0.99),
  ]

  /// The JSON that the page's script reads.
  private func sheet(_ html: String) throws -> [String: Any] {
    let start = try #require(html.range(of: #"id="sheet">"#))
    let end = try #require(html.range(of: "</script>", range: start.upperBound..<html.endIndex))
    let json = html[start.upperBound..<end.lowerBound]
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// The images of a section's cards, in their order.
  private func images(_ section: String, _ html: String) throws -> [[Int]] {
    let start = try #require(html.range(of: "<section id=\"\(section)\">"))
    let end = try #require(html.range(of: "</section>", range: start.upperBound..<html.endIndex))
    let pictures = try #require(try sheet(html)["pictures"] as? [[String: Any]])
    return html[start.upperBound..<end.lowerBound].matches(of: /data-slots="([0-9 ]*)"/).map { match in
      match.1.split(separator: " ").compactMap { Int($0) }.compactMap { pictures[$0]["image"] as? Int }
    }
  }

  @Test func saysWhatWasMeasured() throws {
    let html = try SampleData.page(truth: truth, answers: answers, names: ["cat", "dog", "owl"]).html
    #expect(html.contains("<h1>66.7% accuracy</h1>"))
    #expect(html.contains("4 of 6 images right"))
    #expect(html.contains("cat taken for dog: 1 image, 33.3% of this class"))
    #expect(html.contains(#"data-cell="0-0" data-count="2" data-title="cat, right""#))
  }

  @Test func orderedByConfidence() throws {
    let html = try SampleData.page(truth: truth, answers: answers, names: ["cat", "dog", "owl"]).html
    #expect(try images("mistakes", html) == [[2, 4]])
    #expect(try images("unsure", html) == [[4, 1, 3, 2, 0, 5]])
    let cells = try #require(try sheet(html)["cells"] as? [String: [Int]])
    let pictures = try #require(try sheet(html)["pictures"] as? [[String: Any]])
    // Of those that are right the least sure come first.
    #expect(cells["0-0"]?.compactMap { pictures[$0]["image"] as? Int } == [1, 0])
    #expect(cells["0-1"]?.compactMap { pictures[$0]["image"] as? Int } == [2])
    #expect(pictures[2]["guesses"] as? [[Double]] == [[1, 0.8], [0, 0.1], [2, 0.1]])
  }

  @Test func comparesTwoModels() throws {
    let rival: [(label: Int, confidence: Float)] = [
      (0, 0.9), (1, 0.9), (0, 0.7), (1, 0.7), (1, 0.6), (2, 0.9),
    ]
    let html = try SampleData.page(
      truth: truth, answers: answers, names: ["cat", "dog", "owl"], rivalAnswers: rival
    ).html
    #expect(html.contains("Compared with rival"))
    #expect(
      try images("comparison", html) == [[1], [4, 2]] || images("comparison", html) == [[1], [2, 4]])
    #expect(html.contains("the other: dog, 90.0%"))
  }

  @Test func namesCannotBreakThePage() throws {
    let names = ["</script><script>alert(1)</script>", "a\"b'c&d", "<b>\u{1B}[31m\u{202E}\n"]
    let html = try SampleData.page(truth: truth, answers: answers, names: names).html
    #expect(!html.contains("<script>alert") && !html.contains("\u{1B}") && !html.contains("\u{202E}"))
    #expect(try sheet(html)["names"] as? [String] == [names[0], names[1], "<b>\u{FFFD}[31m\u{FFFD}\n"])
  }

  @Test func nothingIsFetched() throws {
    let html = try SampleData.page(truth: truth, answers: answers, names: ["cat", "dog", "owl"]).html
    // The name of SVG's vocabulary is no address to fetch.
    let addresses = html.replacing("http://www.w3.org/2000/svg", with: "")
    for scheme in ["http://", "https://", "file://", "@import", "<link", "src=\"/"] {
      #expect(!addresses.contains(scheme))
    }
    #expect(html.contains("default-src 'none'"))
  }

  @Test func sameContentSameBytes() throws {
    let page = {
      try SampleData.page(truth: self.truth, answers: self.answers, names: ["cat", "dog", "owl"]).html
    }
    #expect(try page() == page())
  }

  /// As many pictures as a page can hold of a model that is always wrong, for many classes.
  @Test func manyClassesAreListedAndPicturesAreLimited() throws {
    let classes = 200
    let truth = (0..<20_000).map { UInt16($0 % classes) }
    let answers = truth.indices.map {
      (label: (Int(truth[$0]) + 1 + $0 % 3) % classes, confidence: Float(0.9))
    }
    let html = try SampleData.page(truth: truth, answers: answers, names: (0..<classes).map { "class \($0)" })
      .html
    #expect(!html.contains(#"class="matrix"#) && html.contains("<ol class=\"list\">"))
    let pictures = try #require(try sheet(html)["pictures"] as? [[String: Any]])
    #expect((1_000...7_000).contains(pictures.count))
  }
}
