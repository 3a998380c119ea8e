import Datasets
import PlainText
import Wire

extension FileKind {
  /// IDX, raw or gzip; what is gzip but no IDX is told by the reader.
  static let idx = FileKind(
    name: "an IDX file, raw or gzip",
    recognizes: { $0.starts(with: [0, 0]) || $0.starts(with: [0x1F, 0x8B]) },
    describe: { path throws(FileError) in
      FileDescription(try IDX.read(path), path: path, try FileReader(path: path))
    })
}

extension FileDescription {
  init(_ array: IDX, path: String, _ file: FileReader) {
    let isCompressed = file.starts(with: [0x1F, 0x8B])
    self.init(kind: "IDX")
    let sizes = array.dimensions.prefix(8).map(\.groupedDigits).joined(separator: " × ")
    let content = array.headerByteCount + array.payload.count
    let onDisk = "\(file.byteCount.groupedDigits) bytes" + (isCompressed ? " of gzip" : "")
    add("byteCount", .count(file.byteCount), "file", onDisk)
    add("isCompressed", .flag(isCompressed))
    add("contentByteCount", .count(content), "content", "\(content.groupedDigits) bytes")
    add("elementType", .text("\(array.elementType)"), "elements", "\(array.elementType)s, big-endian")
    add(
      "dimensions", .list(array.dimensions.map(FactValue.count)), "dimensions",
      sizes + (array.dimensions.count > 8 ? " × …" : ""))
    switch array.dimensions.count {
    case 1: describeLabels(array)
    case 3, 4: describeImages(array)
    default: add("holds", .text("array"), "holds", "an array")
    }
    // Of the elements, since a header is soon told by its dimensions; raw and gzip have the same.
    let checksum = array.payload.withUnsafeBytes { CRC32.checksum($0) }.hexadecimal
    add("elementsChecksum", .text(checksum), "CRC-32", "\(checksum) (of the elements)")
  }

  private mutating func describeLabels(_ array: IDX) {
    var counts: [Double: Int] = [:]
    // NaN equals nothing, itself included; it comes last.
    var nanCount = 0
    for index in 0..<array.count {
      let value = array.value(at: index)
      if value.isNaN { nanCount += 1 } else { counts[value, default: 0] += 1 }
    }
    let sorted =
      counts.sorted { $0.key < $1.key } + (nanCount == 0 ? [] : [(key: .nan, value: nanCount)])
    add(
      "holds", .text("labels"), "holds", "\(array.count.of("label")), \(sorted.count.groupedDigits) different"
    )
    let shown = sorted.prefix(12).map { "\(Self.label($0.key)): \($0.value.groupedDigits)" }
    add(
      "labelCounts",
      .list(
        sorted.prefix(ClassTable.largestCount).map {
          .object(["label": .number($0.key), "count": .count($0.value)])
        }))
    // Six labels a line.
    for start in stride(from: 0, to: shown.count, by: 6) {
      let more = start + 6 >= shown.count && sorted.count > shown.count ? ", …" : ""
      let text = shown[start..<min(shown.count, start + 6)].joined(separator: ", ") + more
      addLine(start == 0 ? "images" : "", text)
    }
  }

  private static func label(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }

  private mutating func describeImages(_ array: IDX) {
    let images = array.dimensions[0]
    add("holds", .text("images"), "holds", "\(images.of("image"))")
    guard array.count > 0 else { return }
    var (low, high, sum) = (Double.infinity, -Double.infinity, 0.0)
    for index in 0..<array.count {
      let value = array.value(at: index)
      (low, high, sum) = (min(low, value), max(high, value), sum + value)
    }
    let mean = sum / Double(array.count)
    add("smallestValue", .number(low))
    add("largestValue", .number(high))
    add(
      "meanValue", .number(mean), "values",
      "\(Self.label(low)) to \(Self.label(high)), mean \(mean.threeDigits)")
  }
}
