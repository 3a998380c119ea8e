import Charts

/// One self-contained HTML file: style, script and pictures inside, nothing fetched.
struct HTMLPage {
  let title: String
  var sections: [String] = []
  /// The pictures that the page's script shows, if any.
  var sheet: PictureSheet?

  /// The whole file. The same content gives the same bytes.
  var text: String {
    let script =
      sheet.map {
        """
        <style>.sprite { background-image: url(\($0.dataURL)); }</style>
        <script type="application/json" id="sheet">\($0.json)</script>
        <script>
        \(Self.text(PackageResources.gallery_js))
        </script>
        """
      } ?? ""
    // The policy holds the page to its promise: no request can leave it.
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <title>\(title.escaped)</title>
      <style>
      \(Self.text(PackageResources.page_css))
      \(SVGPicture.style)
      </style>
      </head>
      <body>
      <main>
      \(sections.joined(separator: "\n"))
      </main>
      \(script)
      </body>
      </html>

      """
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// A part of the page under a heading of its own.
  static func section(_ title: String, id: String, _ content: String...) -> String {
    """
    <section id="\(id)">
    <h2>\(title.escaped)</h2>
    \(content.joined(separator: "\n"))
    </section>
    """
  }

  static func note(_ text: String) -> String { #"<p class="faint">\#(text.escaped)</p>"# }

  /// Headline figures side by side: each with what it is.
  static func tiles(_ figures: [(value: String, meaning: String)]) -> String {
    let tiles = figures.map {
      #"<div class="tile"><b>\#($0.value.escaped)</b><span class="faint">\#($0.meaning.escaped)</span></div>"#
    }
    return #"<div class="tiles">\#(tiles.joined())</div>"#
  }

  /// A table; cells are text, columns from `numbersFrom` on are numbers.
  static func table(head: [String] = [], _ rows: [[String]], numbersFrom: Int = .max) -> String {
    table(head: head, cells: rows.map { $0.map(\.escaped) }, numbersFrom: numbersFrom)
  }

  /// A table whose cells are markup.
  static func table(head: [String] = [], cells rows: [[String]], numbersFrom: Int = .max) -> String {
    func row(_ cells: [String], _ tag: String) -> String {
      "<tr>"
        + cells.enumerated().map { index, cell in
          "<\(tag)\(index >= numbersFrom ? #" class="count""# : "")>\(cell)</\(tag)>"
        }.joined() + "</tr>"
    }
    let top = head.isEmpty ? "" : "<thead>\(row(head.map(\.escaped), "th"))</thead>"
    let body = rows.map { row($0, "td") }.joined(separator: "\n")
    return #"<div class="scroll"><table>\#(top)<tbody>\#(body)</tbody></table></div>"#
  }

  /// A class's name for a table, which a long one must not widen.
  static func name(_ name: String) -> String { #"<span class="name">\#(name.escaped)</span>"# }

  /// A place that the page's script fills with the pictures of these slots, each with its note, if any.
  static func cards(_ slots: [Int], notes: [String] = []) -> String {
    let places = slots.map(String.init).joined(separator: " ")
    // Names may hold any character but a control character.
    let texts = notes.isEmpty ? "" : " data-notes=\"\(notes.joined(separator: "\n").escaped)\""
    return #"<div class="cards" data-slots="\#(places)"\#(texts)></div>"#
  }
}
