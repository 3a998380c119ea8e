import Foundation
import HostInference
import SampleNetworks
import Tensors
import Testing
import Training

@testable import Interchange

/// The page is whole and small, and takes networks of drawings only. What it does is tried in a browser, by
/// `make test-draw`.
struct WebPageTests {
  private func model(
    _ shape: ImageShape = ImageShape(channels: 1, height: 28, width: 28), takesInk: Bool = true,
    _ change: (inout LoweredNetwork) -> Void = { _ in }
  ) throws -> [UInt8] {
    let checkpoint = try SampleNetwork(layers: "dense 10", shape: shape).checkpoint()
    var network = try InkExport(weights: .int8, takesNormalizedInk: takesInk).run(checkpoint).network
    change(&network)
    let tensors = network.tensors.map { QuantizedMatrix($0, as: $0.isWeight ? .int8 : .float32) }
    return InkWriter(network, tensors: tensors).bytes
  }

  /// What an element of the page holds.
  private func content(of id: String, in page: String) -> Substring? {
    guard let start = page.range(of: "id=\"\(id)\">"),
      let end = page.range(of: "</script>", range: start.upperBound..<page.endIndex)
    else { return nil }
    return page[start.upperBound..<end.lowerBound]
  }

  @Test func holdsModelModuleAndScripts() throws {
    let model = try model()
    let page = try WebPage(model: model).text
    #expect(page == (try WebPage(model: model).text))
    let text = try #require(content(of: "model-base64", in: page))
    #expect(Data(base64Encoded: String(text)) == Data(model))
    let module = try #require(Data(base64Encoded: String(content(of: "module-base64", in: page) ?? "")))
    #expect(module.starts(with: [0x00, 0x61, 0x73, 0x6D]))
    for place in ["_BASE64", "/* STYLE */", "/* SCRIPT */"] { #expect(!page.contains(place)) }
    // Every script that stands in the folder, by its longest line.
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Interchange/WebPage/Resources")
      .standardized
    let scripts = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "js" }
    #expect(scripts.count > 20)
    for script in scripts {
      let lines = try String(contentsOf: script, encoding: .utf8).split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.contains(/^(\/?\*|\/\/)/) }
      let longest = try #require(lines.max { $0.count < $1.count })
      #expect(page.components(separatedBy: longest).count == 2, "\(script.lastPathComponent)")
    }
    #expect(page.utf8.count - text.utf8.count < 120_000)
  }

  @Test func anotherNetworkIsRefused() throws {
    for (model, expected) in [
      (
        try model(ImageShape(channels: 1, height: 8, width: 9)), "found one of 8×9×1 with ink high; train one"
      ),
      (
        try model(ImageShape(channels: 3, height: 28, width: 28)),
        "found one of 28×28×3 with ink high; train one"
      ),
      (try model { $0.input.isInkHigh = false }, "found one of 28×28×1 with paper high; train one"),
      (try model(takesInk: false), "pictures are resized; export it with --pictures ink"),
    ] {
      let error = try #require(throws: WebPageError.self) { try WebPage(model: model) }
      #expect(error.description.contains(expected) && !error.description.contains("\n"), "\(error)")
    }
    #expect(throws: InkError.self) { try WebPage(model: [1, 2, 3]) }
  }

  @Test func whatOnlyPeopleNeedGoes() {
    let script = """
      /** Of several
       * lines. */
      // One line.
      function half(x) {
        const text = "// no comment", more = `{ ; }`;

        if (x > 1)
          return x / 2 // stays
        /* goes */
        return text
      }
      """
    #expect(
      SlimText.script(script) == """
        function half(x) {const text = "// no comment", more = `{ ; }`;if (x > 1)
        return x / 2 // stays
        return text
        }

        """)
    #expect(
      SlimText.style("/* Both. */\na, b { color: red; margin: 0 1px }\n@media (x) {\n  c { top: 0; }\n}\n")
        == "a,b{color:red;margin:0 1px}@media (x){c{top:0}}")
  }
}
