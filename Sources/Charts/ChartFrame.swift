/// The place of a chart in an SVG picture: maps values to pixels, and draws grid, ticks and labels.
package struct ChartFrame: Sendable {
  package let x: Axis
  package let y: Axis
  /// The upper left corner of the plot, and its size, in pixels.
  let left: Double
  let top: Double
  let width: Double
  let height: Double

  // Room for tick labels and titles around the plot.
  static let leftMargin = 56.0
  static let bottomMargin = 44.0
  static let topMargin = 30.0
  static let rightMargin = 14.0

  /// A frame in the rectangle at (`left`, `top`), labels included.
  package init(x: Axis, y: Axis, left: Double = 0, top: Double = 0, width: Double, height: Double) {
    (self.x, self.y) = (x, y)
    self.left = left + Self.leftMargin
    self.top = top + Self.topMargin
    self.width = width - Self.leftMargin - Self.rightMargin
    self.height = height - Self.topMargin - Self.bottomMargin
  }

  package func across(_ value: Double) -> Double { left + x.position(of: value) * width }
  package func down(_ value: Double) -> Double { top + (1 - y.position(of: value)) * height }

  /// Grid, ticks, axis labels and the title.
  package func markup(title: String) -> String {
    var parts: [String] = []
    for tick in y.ticks {
      let place = down(tick).coordinate
      parts.append(
        #"<line class="grid" x1="\#(left.coordinate)" x2="\#((left + width).coordinate)" y1="\#(place)" y2="\#(place)"/>"#
      )
      parts.append(text(y.text(of: tick), left - 8, down(tick) + 4, anchor: "end"))
    }
    let bottom = top + height
    for tick in x.ticks {
      let place = across(tick).coordinate
      parts.append(
        #"<line class="tick" x1="\#(place)" x2="\#(place)" y1="\#(bottom.coordinate)" y2="\#((bottom + 5).coordinate)"/>"#
      )
      parts.append(text(x.text(of: tick), across(tick), bottom + 18, anchor: "middle"))
    }
    parts.append(
      #"<line class="axis" x1="\#(left.coordinate)" x2="\#((left + width).coordinate)" y1="\#(bottom.coordinate)" y2="\#(bottom.coordinate)"/>"#
    )
    parts.append(text(x.label, left + width / 2, bottom + 36, anchor: "middle", style: "label"))
    parts.append(text(title, left, top - 12, anchor: "start", style: "title"))
    if !y.label.isEmpty { parts.append(text(y.label, left + width, top - 12, anchor: "end", style: "label")) }
    return parts.joined(separator: "\n")
  }

  package func text(
    _ text: String, _ x: Double, _ y: Double, anchor: String, style: String = "number"
  ) -> String {
    #"<text class="\#(style)" x="\#(x.coordinate)" y="\#(y.coordinate)" text-anchor="\#(anchor)">\#(text.escaped)</text>"#
  }
}
