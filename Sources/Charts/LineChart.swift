/// Lines over a common axis, such as a loss by epoch, as a part of an SVG picture.
package struct LineChart: Sendable {
  package struct Line: Sendable {
    let name: String
    let points: [(x: Double, y: Double)]

    /// A line through the points whose values are finite.
    package init(_ name: String, _ points: [(x: Double, y: Double)]) {
      self.name = name
      self.points = points.filter { $0.x.isFinite && $0.y.isFinite }
    }
  }

  let title: String
  let lines: [Line]
  let x: Axis
  let y: Axis

  /// A chart whose y axis reaches around all points; it includes `floor` where that is given.
  package init(_ title: String, unit: String = "", x: Axis, floor: Double? = nil, lines: [Line]) {
    self.title = title
    self.x = x
    self.lines = lines.filter { !$0.points.isEmpty }
    y = Axis(unit, around: lines.flatMap { $0.points.map(\.y) } + (floor.map { [$0] } ?? []))
  }

  /// The chart in the rectangle at (`left`, `top`), in pixels.
  package func markup(left: Double = 0, top: Double = 0, width: Double, height: Double) -> String {
    let frame = ChartFrame(x: x, y: y, left: left, top: top, width: width, height: height)
    var parts = [frame.markup(title: title)]
    for (index, line) in lines.enumerated() {
      let points = line.points.map { "\(frame.across($0.x).coordinate),\(frame.down($0.y).coordinate)" }
      parts.append(
        #"<polyline class="line color\#(index)" points="\#(points.joined(separator: " "))"/>"#)
      // Marks show single values; where there are many they would only thicken the line.
      if line.points.count <= 30 {
        parts += line.points.map {
          #"<circle class="mark color\#(index)" cx="\#(frame.across($0.x).coordinate)" cy="\#(frame.down($0.y).coordinate)" r="3"/>"#
        }
      }
    }
    if lines.count > 1 { parts.append(legend(frame)) }
    return parts.joined(separator: "\n")
  }

  /// The lines' names, in the corner of the plot that they leave free.
  private func legend(_ frame: ChartFrame) -> String {
    let middle = frame.x.range.lowerBound + (frame.x.range.upperBound - frame.x.range.lowerBound) / 2
    let late = lines.flatMap(\.points).filter { $0.x >= middle }.map { frame.y.position(of: $0.y) }
    let isLow = late.reduce(0, +) > 0.5 * Double(late.count)
    let width = 12.0 + 7 * Double(lines.map(\.name.count).max() ?? 0)
    let right = frame.across(frame.x.range.upperBound)
    let start =
      isLow
      ? frame.down(frame.y.range.lowerBound) - 18 * Double(lines.count)
      : frame.down(frame.y.range.upperBound) + 14
    return lines.enumerated().map { index, line in
      let y = start + 18 * Double(index)
      let x = right - width - 22
      return
        #"<line class="line color\#(index)" x1="\#(x.coordinate)" x2="\#((x + 16).coordinate)" y1="\#(y.coordinate)" y2="\#(y.coordinate)"/>"#
        + frame.text(line.name, x + 22, y + 4, anchor: "start", style: "label")
    }.joined(separator: "\n")
  }
}
