/// An array as IDX files hold it: an element type, one to 255 dimensions, and the elements in row-major order.
///
/// The format (http://yann.lecun.com/exdb/mnist): two zero bytes, one byte for the type, one for the number of
/// dimensions, each dimension as a 32-bit number, then the elements; all numbers big-endian.
public struct IDX: Hashable, Sendable {
  /// The type of each element, by the code that stands in the file.
  public enum ElementType: UInt8, CaseIterable, Sendable {
    case uint8 = 0x08
    case int8 = 0x09
    case int16 = 0x0B
    case int32 = 0x0C
    case float32 = 0x0D
    case float64 = 0x0E

    /// The size of one element in bytes.
    public var byteCount: Int {
      switch self {
      case .uint8, .int8: 1
      case .int16: 2
      case .int32, .float32: 4
      case .float64: 8
      }
    }
  }

  public let elementType: ElementType
  /// The extents, the number of images or labels first.
  public let dimensions: [Int]
  /// The elements as the file holds them, big-endian.
  public let payload: [UInt8]

  /// An array of big-endian elements.
  ///
  /// - Precondition: 1 to 255 dimensions, each at most 2³² − 1, whose product times the element's size is
  ///   `payload.count`.
  public init(elementType: ElementType, dimensions: [Int], payload: [UInt8]) {
    precondition((1...255).contains(dimensions.count))
    precondition(dimensions.allSatisfy { UInt32(exactly: $0) != nil })
    precondition(dimensions.reduce(elementType.byteCount, *) == payload.count)
    self.elementType = elementType
    self.dimensions = dimensions
    self.payload = payload
  }

  /// The number of elements.
  public var count: Int { payload.count / elementType.byteCount }

  /// The size of the header before the payload, in bytes.
  public var headerByteCount: Int { 4 + 4 * dimensions.count }

  /// Where in the file (uncompressed) an element stands.
  func byteOffset(of index: Int) -> Int { headerByteCount + index * elementType.byteCount }

  /// The element at a row-major index; each element type fits a `Double` without loss.
  public func value(at index: Int) -> Double {
    let offset = index * elementType.byteCount
    return switch elementType {
    case .uint8: Double(payload[offset])
    case .int8: Double(Int8(bitPattern: payload[offset]))
    case .int16: Double(Int16(truncatingIfNeeded: bits(at: offset, 2)))
    case .int32: Double(Int32(truncatingIfNeeded: bits(at: offset, 4)))
    case .float32: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(at: offset, 4))))
    case .float64: Double(bitPattern: bits(at: offset, 8))
    }
  }

  private func bits(at offset: Int, _ count: Int) -> UInt64 {
    var bits: UInt64 = 0
    for place in offset..<offset + count { bits = bits << 8 | UInt64(payload[place]) }
    return bits
  }
}

extension IDX.ElementType: CustomStringConvertible {
  public var description: String {
    switch self {
    case .uint8: "unsigned byte"
    case .int8: "signed byte"
    case .int16: "16-bit integer"
    case .int32: "32-bit integer"
    case .float32: "32-bit float"
    case .float64: "64-bit float"
    }
  }
}
