import Images
import PlainText
import Tensors
import Training

/// The weights of a network's first layer as pictures: what each filter answers to.
///
/// Only a layer that sees the image itself can be shown so: a convolution, or a dense layer whose weights have the
/// image's own extents.
struct FilterSheet {
  /// [filters, channels, height, width].
  private let weights: Tensor
  /// How many filters there are; of very many only the first are shown.
  let count: Int

  static let limit = 64
  private static let columns = 8

  init?(_ model: Model) {
    let input = model.architecture.input
    guard let slot = model.table.slots.first(where: { $0.name == "weight" }) else { return nil }
    let before = model.architecture.outputs.prefix(slot.layer)
    guard before.allSatisfy({ $0.count == input.count }) else { return nil }
    count = slot.shape[0]
    switch model.architecture.layers[slot.layer] {
    case .convolution: weights = model[slot]
    case .dense: weights = Tensor(shape: [count] + input.extents, elements: model[slot].elements)
    default: return nil
    }
  }

  /// How many filters the picture shows.
  var shown: Int { min(count, Self.limit) }

  /// Whether the filters are shown as colours, since they see red, green and blue.
  var isColored: Bool { weights.shape[1] == 3 }

  /// Filters side by side with a pixel between, each scaled to its own largest weight.
  ///
  /// Three channels are shown as colours around grey. Otherwise their mean is: red is positive, blue negative.
  /// What is larger than 64 pixels shrinks as images do.
  var picture: Bitmap {
    let channels = weights.shape[1]
    let plane = weights.shape[2] * weights.shape[3]
    let small = Shrinking(height: weights.shape[2], width: weights.shape[3])
    let columns = min(Self.columns, shown)
    let rows = (shown + columns - 1) / columns
    var sheet = Bitmap(
      width: columns * (small.width + 1) - 1, height: rows * (small.height + 1) - 1, channels: 4)
    for filter in 0..<shown {
      let planes = (0..<channels).map { channel in
        let start = (filter * channels + channel) * plane
        return small.means { Double(weights.elements[start + $0]) }
      }
      let pixels = isColored ? Self.colours(planes) : Self.signs(planes)
      sheet.draw(
        Bitmap(width: small.width, height: small.height, channels: 4, pixels: pixels),
        x: filter % columns * (small.width + 1), y: filter / columns * (small.height + 1))
    }
    return sheet
  }

  private static func colours(_ planes: [[Double]]) -> [UInt8] {
    let shares = shares(planes.flatMap(\.self))
    let count = planes[0].count
    return (0..<count).flatMap { place -> [UInt8] in
      let light = (0..<3).map { 127.5 + 127.5 * shares[$0 * count + place] }
      return light.map { UInt8($0) } + [255]
    }
  }

  private static func signs(_ planes: [[Double]]) -> [UInt8] {
    let means = planes[0].indices.map { place in
      planes.reduce(0.0) { $0 + $1[place] } / Double(planes.count)
    }
    return shares(means).flatMap { share -> [UInt8] in
      // From white to vermilion for positive, to blue for negative weights.
      let end: (Double, Double, Double) = share > 0 ? (202, 80, 0) : (0, 102, 168)
      func shade(_ end: Double) -> UInt8 { UInt8(248 + (end - 248) * share.magnitude) }
      return [shade(end.0), shade(end.1), shade(end.2), 255]
    }
  }

  /// The values as parts of the largest, -1 to 1; 0 for what is not finite in weights that have diverged.
  private static func shares(_ values: [Double]) -> [Double] {
    let largest = values.lazy.map(\.magnitude).filter(\.isFinite).max() ?? 0
    return values.map { $0.isFinite && largest > 0 ? $0 / largest : 0 }
  }
}

extension RunPage {
  var filterSection: String? {
    guard let model = record.best?.model, let sheet = FilterSheet(model) else { return nil }
    let picture = sheet.picture
    // Small filters are shown large; their pixels stay sharp.
    let scale = max(1, min(12, 640 / max(1, picture.width)))
    let extent =
      sheet.shown < sheet.count
      ? "the first \(sheet.shown) of \(sheet.count.groupedDigits) filters" : sheet.count.of("filter")
    let key =
      sheet.isColored
      ? "a channel's light there is wanted where it is brighter than grey, and unwanted where it is darker"
      : "red wants ink there, blue wants none"
    return HTMLPage.section(
      "What the first layer looks for", id: "filters",
      HTMLPage.note("The weights of \(extent), each scaled to its largest: \(key)."),
      #"<img class="filters" alt="filters of the first layer" width="\#(picture.width * scale)" "#
        + #"height="\#(picture.height * scale)" src="\#(picture.pngURL)">"#)
  }
}
