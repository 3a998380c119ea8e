import Images
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

  /// Filters side by side with a pixel between, each scaled to its own largest weight.
  ///
  /// Three channels are shown as colours around grey. Otherwise their mean is: red is positive, blue negative.
  var picture: Bitmap {
    let (channels, height, width) = (weights.shape[1], weights.shape[2], weights.shape[3])
    let columns = min(Self.columns, shown)
    let rows = (shown + columns - 1) / columns
    var sheet = Bitmap(
      width: columns * (width + 1) - 1, height: rows * (height + 1) - 1, channels: 4, filledWith: 0)
    let plane = height * width
    for filter in 0..<shown {
      let values = Array(weights.elements[filter * channels * plane..<(filter + 1) * channels * plane])
      let pixels = channels == 3 ? Self.colours(values, plane) : Self.signs(values, plane, channels)
      sheet.draw(
        Bitmap(width: width, height: height, channels: 4, pixels: pixels), x: filter % columns * (width + 1),
        y: filter / columns * (height + 1))
    }
    return sheet
  }

  private static func colours(_ values: [Float], _ plane: Int) -> [UInt8] {
    let largest = max(values.map(\.magnitude).max() ?? 0, .leastNormalMagnitude)
    var pixels: [UInt8] = []
    for place in 0..<plane {
      for channel in 0..<3 {
        let share = values[channel * plane + place] / largest
        pixels.append(UInt8(127.5 + 127.5 * share))
      }
      pixels.append(255)
    }
    return pixels
  }

  private static func signs(_ values: [Float], _ plane: Int, _ channels: Int) -> [UInt8] {
    let means = (0..<plane).map { place in
      (0..<channels).reduce(Float(0)) { $0 + values[$1 * plane + place] } / Float(channels)
    }
    let largest = max(means.map(\.magnitude).max() ?? 0, .leastNormalMagnitude)
    return means.flatMap { mean -> [UInt8] in
      let strength = mean.magnitude / largest
      // From white to vermilion for positive, to blue for negative weights.
      let end: (Float, Float, Float) = mean > 0 ? (202, 80, 0) : (0, 102, 168)
      func shade(_ end: Float) -> UInt8 { UInt8(248 + (end - 248) * strength) }
      return [shade(end.0), shade(end.1), shade(end.2), 255]
    }
  }
}

extension RunPage {
  var filterSection: String? {
    guard let model = record.best?.model, let sheet = FilterSheet(model) else { return nil }
    let picture = sheet.picture
    // Small filters are shown large; their pixels stay sharp.
    let scale = max(1, min(12, 640 / max(1, picture.width)))
    let extent = sheet.shown < sheet.count ? "the first \(sheet.shown) of \(sheet.count)" : "\(sheet.count)"
    return HTMLPage.section(
      "What the first layer looks for", id: "filters",
      HTMLPage.note(
        "The weights of \(extent) filters, each scaled to its largest: red wants ink there, blue wants none."),
      #"<img class="filters" alt="filters of the first layer" width="\#(picture.width * scale)" "#
        + #"height="\#(picture.height * scale)" src="\#(picture.pngURL)">"#)
  }
}
