/// A whole SVG picture: charts and the style that shows them in light and in dark.
package struct SVGPicture: Sendable {
  let width: Double
  let height: Double
  let description: String
  let content: String

  /// - Parameter description: what the picture shows, for those who cannot see it.
  package init(width: Double, height: Double, description: String, content: String) {
    self.width = width
    self.height = height
    self.description = description
    self.content = content
  }

  /// The element for a page that has ``style`` already.
  package var element: String {
    """
    <svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.coordinate) \(height.coordinate)" \
    width="\(width.coordinate)" height="\(height.coordinate)" role="img" aria-label="\(description.escaped)">
    \(content)
    </svg>
    """
  }

  /// A file of its own, on a background of its own.
  package var file: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.coordinate) \(height.coordinate)" \
    width="\(width.coordinate)" height="\(height.coordinate)" role="img" aria-label="\(description.escaped)">
    <style>
    \(Self.style)
    </style>
    <rect class="ground" width="100%" height="100%"/>
    \(content)
    </svg>

    """
  }

  /// Colours from Okabe and Ito's palette, which people with any colour vision can tell apart.
  package static let style = """
    .chart { font: 12px system-ui, sans-serif; --ground: #fff; --text: #1c2026; --faint: #69707a; --grid: #e3e6ea;
      --color0: #0072b2; --color1: #d55e00; --color2: #009e73; }
    @media (prefers-color-scheme: dark) {
      .chart { --ground: #16191e; --text: #e8eaed; --faint: #9aa2ad; --grid: #2c323a;
        --color0: #56b4e9; --color1: #f0893d; --color2: #2fc79a; }
    }
    .chart .ground { fill: var(--ground); }
    .chart .title { fill: var(--text); font-weight: 600; font-size: 13px; }
    .chart .label, .chart .number { fill: var(--faint); }
    .chart .number { font-variant-numeric: tabular-nums; }
    .chart .grid { stroke: var(--grid); }
    .chart .axis, .chart .tick { stroke: var(--faint); }
    .chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
    .chart .dashed { fill: none; stroke: var(--faint); stroke-dasharray: 4 4; }
    .chart .line.color0 { stroke: var(--color0); }
    .chart .line.color1 { stroke: var(--color1); }
    .chart .line.color2 { stroke: var(--color2); }
    .chart .mark.color0, .chart .bar.color0 { fill: var(--color0); }
    .chart .mark.color1, .chart .bar.color1 { fill: var(--color1); }
    .chart .mark.color2, .chart .bar.color2 { fill: var(--color2); }
    .chart .bar { fill-opacity: .75; }
    """
}
