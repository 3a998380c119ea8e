import Datasets
import PlainText
import Wire

extension FileKind {
  /// IDX, raw or gzip; what is gzip but no IDX, or IDX in the wrong byte order, is told by the reader.
  static let idx = FileKind(
    name: "an IDX file, raw or gzip",
    recognizes: {
      $0.starts(with: [0, 0]) || $0.starts(with: [0x1F, 0x8B]) || isLittleEndian($0)
    },
    describe: { path throws(FileError) in
      FileDescription(try IDX.read(path), path: path, try FileReader(path: path))
    })

  /// Whether the first four bytes are an IDX header's in reverse, for 1 to 4 dimensions.
  private static func isLittleEndian(_ file: FileReader) -> Bool {
    IDX.ElementType.allCases.contains { type in
      (1...4).contains { file.starts(with: [$0, type.rawValue, 0, 0]) }
    }
  }
}

extension FileDescription {
  init(_ array: IDX, path: String, _ file: FileReader) {
    let isCompressed = file.starts(with: [0x1F, 0x8B])
    self.init(kind: "IDX")
    let dimensions = array.dimensions
    let content = array.headerByteCount + array.payload.count
    let onDisk = "\(file.byteCount.groupedDigits) bytes" + (isCompressed ? " of gzip" : "")
    add("byteCount", .count(file.byteCount), "file", onDisk)
    add("isCompressed", .flag(isCompressed))
    add("contentByteCount", .count(content), "content", "\(content.groupedDigits) bytes")
    let order = array.elementType.byteCount > 1 ? ", big-endian" : ""
    add("elementType", .text("\(array.elementType)"), "elements", "\(array.elementType)s\(order)")
    let sizes = dimensions.prefix(8).map(\.groupedDigits).joined(separator: " × ")
    add(
      "dimensions", .list(dimensions.map(FactValue.count)), "dimensions",
      sizes + (dimensions.count > 8 ? " × …" : ""))
    // A column of single numbers would pass as images of one pixel.
    let isColumn = dimensions.count == 1 || dimensions.count == 2 && dimensions[1] == 1
    if array.count == 0 {
      add("holds", .text("nothing"), "holds", "nothing, since a dimension is 0")
    } else if !isColumn, let layout = try? PixelLayout(dimensions: dimensions, path: path) {
      describeImages(array, layout)
    } else if dimensions.count <= 2 {
      describeLabels(array, path: path)
    } else {
      add("holds", .text("array"), "holds", "an array of another shape than images or labels have")
    }
    // Of the elements, since a header is soon told by its dimensions; raw and gzip have the same.
    let checksum = array.payload.withUnsafeBytes { CRC32.checksum($0) }.hexadecimal
    add("elementsChecksum", .text(checksum), "CRC-32", "\(checksum) (of the elements)")
  }

  /// Labels are the first column, as everywhere; QMNIST has seven more with other things.
  private mutating func describeLabels(_ array: IDX, path: String) {
    let (rows, columns) = (array.dimensions[0], array.count / array.dimensions[0])
    let numbers = (0..<rows).map { array.value(at: $0 * columns) }.filter { !$0.isNaN }
    var counts: [Double: Int] = [:]
    for number in numbers { counts[number, default: 0] += 1 }
    let sorted = counts.sorted { $0.key < $1.key }
    let values = sorted.compactMap { Int(exactly: $0.key) }
    let classes = values.count == sorted.count ? ClassTable(values: values, besideLabels: path) : nil
    let nameOfValue = classes.map { Dictionary(uniqueKeysWithValues: zip($0.values, $0.names)) } ?? [:]
    func name(_ label: Double) -> String? { Int(exactly: label).flatMap { nameOfValue[$0] } }

    let place = columns > 1 ? " in the first of \(columns.groupedDigits) columns" : ""
    add(
      "holds", .text("labels"), "holds",
      "\(rows.of("label"))\(place), \(sorted.count.groupedDigits) different")
    add("labelCount", .count(rows))
    add("differentLabelCount", .count(sorted.count))
    add(
      "labelCounts",
      .list(
        sorted.prefix(ClassTable.largestCount).map {
          .object([
            "label": .number($0.key), "name": name($0.key).map(FactValue.text) ?? .none,
            "count": .count($0.value),
          ])
        }))
    addLines(
      "of each",
      sorted.lazy.map { label, count in
        let word = Self.number(label)
        return Self.named(word, name(label) ?? word) + ": \(count.groupedDigits)"
      })
    addNotNumbers(rows - numbers.count)
  }

  private mutating func describeImages(_ array: IDX, _ layout: PixelLayout) {
    let (images, shape) = (array.dimensions[0], layout.shape)
    add(
      "holds", .text("images"), "holds",
      "\(images.of("image")) of \(shape.height.groupedDigits)×\(shape.width.groupedDigits) pixels "
        + "(height × width), \(shape.channels.of("channel"))")
    add("imageCount", .count(images))
    add("heightPixels", .count(shape.height))
    add("widthPixels", .count(shape.width))
    add("channelCount", .count(shape.channels))
    var (low, high, sum, count) = (Double.infinity, -Double.infinity, 0.0, 0)
    for index in 0..<array.count {
      let value = array.value(at: index)
      if value.isNaN { continue }
      (low, high, sum, count) = (min(low, value), max(high, value), sum + value, count + 1)
    }
    let mean = sum / Double(count)
    add("smallestValue", count > 0 ? .number(low) : .none)
    add("largestValue", count > 0 ? .number(high) : .none)
    add("meanValue", mean.isFinite ? .number(mean) : .none)
    if count > 0 {
      // The mean of what is all the same says nothing new, and one beyond all numbers says nothing.
      let more = low < high && mean.isFinite ? ", mean \(mean.threeDigits)" : ""
      addLine(
        "values",
        (low < high ? "\(Self.number(low)) to \(Self.number(high))" : "all \(Self.number(low))") + more)
    }
    addNotNumbers(array.count - count)
  }

  private mutating func addNotNumbers(_ count: Int) {
    add("notNumberCount", .count(count))
    if count > 0 { addLine("not numbers", "\(count.of("element")) (NaN)") }
  }

  private static func number(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}
