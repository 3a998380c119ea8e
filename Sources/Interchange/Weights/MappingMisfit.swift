import PlainText
import Training

/// What a file's arrays have in common with an architecture that they do not fit, in words.
struct MappingMisfit {
  private struct Row {
    let layer: LayerNumbers?
    let module: WeightModule?
    let fits: Bool
  }

  /// The most groups without a layer that the table shows: a file may have any number.
  private static let shownCount = 20

  private var rows: [Row]

  /// - Parameters:
  ///   - layers: all layers with numbers
  ///   - found: what fits, by the layer's position
  ///   - remaining: the groups of arrays that fit nowhere
  init(layers: [LayerNumbers], found: [Int: WeightModule], remaining: [WeightModule]) {
    var remaining = remaining.map { (NaturalName($0.name), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    rows = layers.map { layer in
      if let module = found[layer.position] { return Row(layer: layer, module: module, fits: true) }
      // What differs only in the bias first, then what is as near to it in kind.
      let rank = layer.shapes[.weight]?.count
      let place =
        remaining.firstIndex { $0.shapes[.weight] == layer.shapes[.weight] }
        ?? remaining.firstIndex { $0.shapes[.weight]?.count == rank }
      return Row(layer: layer, module: place.map { remaining.remove(at: $0) }, fits: false)
    }
    rows += remaining.map { Row(layer: nil, module: $0, fits: false) }
  }

  /// One line of the first thing that is wrong.
  var summary: String {
    guard let row = rows.first(where: { !$0.fits }) else { return "the arrays do not fit the layers" }
    guard let layer = row.layer else {
      return
        "expected no more arrays than the layers have, found \(Self.text(row.module)); name the layer that has "
        + "them in --layers"
    }
    return
      "layer \(layer.position + 1) (\(layer.layer)): expected \(layer.shapes.text), found \(Self.text(row.module)); "
      + Self.remedy(layer, row.module)
  }

  private static func text(_ module: WeightModule?) -> String {
    guard let module else { return "no such arrays" }
    return "\(module.name.quoted) with \(module.shapes.text)"
  }

  private static func remedy(_ layer: LayerNumbers, _ module: WeightModule?) -> String {
    guard let module, let weight = layer.shapes[.weight], let other = module.shapes[.weight] else {
      return "leave the layer out, or give weights that have it"
    }
    if weight == other, !module.isNormalization, layer.shapes[.runningMean] == nil {
      return module.shapes[.bias] == nil
        ? "there is no bias: write \"\(layer.layer) nobias\"" : "there is a bias: leave nobias out"
    }
    if weight.count == 2, weight == other.reversed() {
      return "that is [in, out], as Keras and JAX keep it: transpose it"
    }
    return "change --layers so that they are the network that was trained"
  }

  /// The layers with what they expect and what was found; what does not fit has a mark in front.
  var table: String {
    var table = TextTable([.left, .right, .left, .left, .left], limit: 200)
    table.add(["", "", "layer", "expects", "found"])
    let shown = rows.prefix(rows.count(where: { $0.layer != nil }) + Self.shownCount)
    for row in shown {
      table.add([
        row.fits ? " " : "!", row.layer.map { "\($0.position + 1)" } ?? "",
        row.layer.map { "\($0.layer)" } ?? "",
        row.layer?.shapes.text ?? "nothing", Self.cell(row.module),
      ])
    }
    let hidden = rows.count - shown.count
    if hidden > 0 { table.add(["!", "", "", "nothing", "\(hidden.groupedDigits) more"]) }
    return table.text
  }

  private static func cell(_ module: WeightModule?) -> String {
    module.map { "\($0.name.prefix(60).description.singleLine): \($0.shapes.text)" } ?? "nothing"
  }
}
