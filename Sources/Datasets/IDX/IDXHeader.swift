import PlainText

/// The header of an IDX file, read from hostile bytes: nothing is allocated by what it claims.
struct IDXHeader {
  /// The most bytes that a header can have: 255 dimensions.
  static let largestByteCount = 4 + 4 * 255

  let elementType: IDX.ElementType
  let dimensions: [Int]
  let payloadByteCount: Int

  var byteCount: Int { 4 + 4 * dimensions.count }

  /// Reads the header from the content's first bytes.
  init(head: [UInt8], content: ContentReader) throws(FileError) {
    let path = content.path
    guard !head.isEmpty else {
      throw FileError(
        .malformed, path: path, byteOffset: 0, expected: "an IDX header",
        found: content.isCompressed ? "gzip data with nothing inside" : "an empty file",
        remedy: "fetch or write the file again")
    }
    guard head.count >= 4, head[0] == 0, head[1] == 0 else { throw Self.notIDX(head: head, path: path) }
    guard let elementType = IDX.ElementType(rawValue: head[2]) else {
      throw FileError(
        .malformed, path: path, byteOffset: 2,
        expected: "an element type (0x08, 0x09, 0x0B, 0x0C, 0x0D or 0x0E)",
        found: "unknown element type \(hexadecimal(head[2]))",
        remedy: "write the file again, 0x08 for unsigned bytes")
    }
    let rank = Int(head[3])
    guard rank > 0 else {
      throw FileError(
        .malformed, path: path, byteOffset: 3, expected: "1 dimension for labels, 3 for images",
        found: "zero dimensions", remedy: "write the file again with its dimensions")
    }
    guard head.count >= 4 + 4 * rank else {
      throw FileError(
        .malformed, path: path, byteOffset: head.count,
        expected: "a header of \((4 + 4 * rank).groupedDigits) bytes for \(rank) dimensions",
        found: "the end after \(head.count.groupedDigits) bytes",
        remedy: "the file is cut short: fetch it again")
    }
    let sizes = (0..<rank).map { dimension in
      head[(4 + 4 * dimension)..<(8 + 4 * dimension)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    self.elementType = elementType
    dimensions = sizes.map(Int.init)
    let length = Self.byteCount(of: sizes, elementType)
    payloadByteCount = length ?? .max
    try checkLength(
      length, swapped: Self.byteCount(of: sizes.map(\.byteSwapped), elementType), content: content)
  }

  /// The size of the payload in bytes, nil if no memory could hold it.
  private static func byteCount(of sizes: [UInt32], _ elementType: IDX.ElementType) -> Int? {
    var product = elementType.byteCount
    for size in sizes {
      let (next, overflow) = product.multipliedReportingOverflow(by: Int(size))
      if overflow { return nil }
      product = next
    }
    return product <= Int.max - largestByteCount ? product : nil
  }

  /// Compares the claimed length with what the file can hold; a raw file must fit exactly.
  ///
  /// `swapped` is the length that the sizes would give if they were little-endian.
  private func checkLength(_ length: Int?, swapped: Int?, content: ContentReader) throws(FileError) {
    func fits(_ length: Int?) -> Bool {
      guard let length else { return false }
      let total = byteCount + length
      return content.isCompressed ? total <= content.byteLimit : total == content.byteLimit
    }
    if fits(length) { return }
    let size = content.fileByteCount
    var offset = 4
    var remedy = "the header is wrong or the file cut short: fetch or write it again"
    if fits(swapped) {
      remedy = "the sizes look little-endian: write them big-endian"
    } else if let length, !content.isCompressed {
      offset = min(byteCount + length, size)
      if offset < size {
        remedy = "the header counts too few, or something was appended: write the file again"
      }
    }
    throw FileError(
      .malformed, path: content.path, byteOffset: offset,
      expected:
        "\(length.map { (byteCount + $0).groupedDigits } ?? "an impossible number of") bytes for \(claim)",
      found: content.isCompressed
        ? "\(size.groupedDigits) bytes of gzip, which cannot hold more than \(content.byteLimit.groupedDigits)"
        : "\(size.groupedDigits) bytes",
      remedy: remedy)
  }

  /// The dimensions and type in words: `20×28×28 unsigned bytes`.
  var claim: String {
    let shown = dimensions.prefix(6).map(\.groupedDigits).joined(separator: "×")
    return "\(shown)\(dimensions.count > 6 ? "×…" : "") elements (\(elementType))"
  }

  private static func notIDX(head: [UInt8], path: String) -> FileError {
    if head.count >= 4, head[2] == 0, head[3] == 0, IDX.ElementType(rawValue: head[1]) != nil {
      return FileError(
        .malformed, path: path, byteOffset: 0, expected: "two zero bytes, the element type, the rank",
        found: "a byte-swapped (little-endian) header: \(hexadecimal(head.prefix(4)))",
        remedy: "write the four bytes in reverse, and all sizes and values big-endian")
    }
    let content = ForeignContent(head)
    return FileError(
      .malformed, path: path, byteOffset: 0, expected: "an IDX header (0x00 0x00, element type, rank)",
      found: content.name, remedy: content.remedy)
  }
}
