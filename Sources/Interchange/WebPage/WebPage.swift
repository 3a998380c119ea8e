import Foundation
import Inference

/// A page to draw on that reads what is drawn: one HTML file with the network and its runtime inside, which loads
/// nothing and so works from a folder, without a server and without a net.
///
/// ```swift
/// let page = try WebPage(model: exported.bytes)
/// try page.text.write(toFile: "draw.html", atomically: true, encoding: .utf8)
/// ```
///
/// All arithmetic is that of `Ink` and `Inference`, compiled to WebAssembly: the resource draw.wasm.
public struct WebPage: Sendable {
  /// The whole file. The same model gives the same bytes.
  public let text: String

  /// - Parameter model: an `.ink` file.
  ///
  /// Throws an `InkError` for bytes that are none, and a `WebPageError` for a network that takes other pictures than
  /// drawings. The page takes four bytes for three of the model, and 110 kB.
  public init(model: [UInt8]) throws {
    let network = try Network(copying: model)
    if let error = WebPageError(network) { throw error }
    text = Self.filled(
      [
        "/* STYLE */": SlimText.style(Self.text(PackageResources.draw_css)),
        "/* SCRIPT */": SlimText.script(Self.scripts.map(Self.text).joined(separator: "\n")),
        "MODULE_BASE64": Data(PackageResources.draw_wasm).base64EncodedString(),
        "MODEL_BASE64": Data(model).base64EncodedString(),
      ])
  }

  /// Those that only declare, and the one that begins.
  private static let scripts = [
    PackageResources.answers_js, PackageResources.clipboard_js, PackageResources.commands_js,
    PackageResources.controls_js, PackageResources.drawing_file_js, PackageResources.eraser_tool_js,
    PackageResources.files_js, PackageResources.geometry_js, PackageResources.ink_tool_js,
    PackageResources.keyboard_js, PackageResources.lasso_tool_js, PackageResources.message_js,
    PackageResources.page_parts_js, PackageResources.picture_part_js, PackageResources.picture_tool_js,
    PackageResources.pointer_js, PackageResources.recognizer_js, PackageResources.sheet_js,
    PackageResources.strokes_js, PackageResources.view_js, PackageResources.start_js,
  ]

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The page with each place filled; the text that fills one is not searched for others.
  private static func filled(_ fillings: [String: String]) -> String {
    var filled = ""
    var rest = Substring(text(PackageResources.draw_html))
    while let (range, filling) = fillings.compactMap({ place, filling in
      rest.range(of: place).map { ($0, filling) }
    }).min(by: { $0.0.lowerBound < $1.0.lowerBound }) {
      filled += rest[..<range.lowerBound] + filling
      rest = rest[range.upperBound...]
    }
    return filled + rest
  }
}

/// A network that takes other pictures than drawings are made into.
public struct WebPageError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// Nil for a network of drawings.
  init?(_ network: Network) {
    let (extent, isInkHigh) = (network.input.extent, network.input.isInkHigh)
    let expected = "expected a model of drawings, which takes 28×28×1 pixels with ink high"
    guard extent == Extent3(channels: 1, height: 28, width: 28), isInkHigh else {
      description =
        "\(expected), found one of \(extent.height)×\(extent.width)×\(extent.channels) with "
        + "\(isInkHigh ? "ink" : "paper") high; train one on pictures like MNIST's"
      return
    }
    guard !network.takesNormalizedInk else { return nil }
    description =
      "\(expected) and centred as MNIST's, found one whose pictures are resized; export it with --pictures ink"
  }
}
