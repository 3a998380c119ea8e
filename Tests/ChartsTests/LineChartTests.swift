import Foundation
import Testing

@testable import Charts

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct LineChartTests {
  private let axis = Axis("epoch", around: [0, 4], count: 4, smallestStep: 1)

  @Test func pointsLieWhereTheAxesSay() {
    let chart = LineChart("loss", x: axis, floor: 0, lines: [.init("training", [(0, 0), (2, 1), (4, 0.5)])])
    let markup = chart.markup(width: 170, height: 174)
    // The plot is 100 × 100 pixels, its corner at (56, 30).
    #expect(markup.contains(#"points="56,130 106,30 156,80""#))
  }

  @Test func whatIsNotFiniteIsLeftOut() {
    let chart = LineChart(
      "loss", x: axis,
      lines: [.init("training", [(1, .nan), (2, 1), (3, .infinity)]), .init("none", [(1, .nan)])])
    let markup = chart.markup(width: 400, height: 300)
    #expect(!markup.contains("nan") && !markup.contains("inf"))
    #expect(!markup.contains("none"))
  }

  @Test func namesAreEscaped() throws {
    let chart = LineChart("<a> & \"b\"", x: axis, lines: [.init("x<y", [(1, 1)]), .init("'\u{1}", [(1, 2)])])
    let picture = SVGPicture(
      width: 400, height: 300, description: "a \"chart\"", content: chart.markup(width: 400, height: 300))
    for text in [picture.file, picture.element] {
      let parser = XMLParser(data: Data(text.utf8))
      #expect(parser.parse(), "\(text)")
    }
    #expect(picture.file.contains("&lt;a&gt; &amp; &quot;b&quot;"))
  }

  @Test func coordinatesAreShort() {
    #expect(12.0.coordinate == "12")
    #expect((-0.04).coordinate == "0")
    #expect((-1.25).coordinate == "-1.3")
    #expect(99.96.coordinate == "100")
  }
}
