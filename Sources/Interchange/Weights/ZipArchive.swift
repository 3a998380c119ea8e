import CZlib
import Datasets
import PlainText
import Wire

// What of the zip format (PKWARE's APPNOTE) numpy.savez uses: a directory at the end of the file that says of
// each member its name, method (0 stored, 8 deflated), CRC-32, both sizes and where its own header lies; the
// content follows that header. Files beyond 4 GB are written another way, and not read here.

/// The members of an `.npz` file.
struct ZipArchive {
  private struct Member {
    let name: String
    let isDeflated: Bool
    let checksum: UInt32
    let packedCount: Int
    let count: Int
    /// Where the member's own header begins.
    let offset: Int
  }

  private let bytes: [UInt8]
  private let path: String
  private var members: [Member] = []

  /// The most bytes that an archive of so many may unpack to: as many floats as the largest layer may have, and not so
  /// many times its size that a small file takes much memory. Weights hardly shrink, but for those that are 0.
  private static func largestContent(of byteCount: Int) -> Int {
    min(400_000_000, 16_000_000 + 64 * byteCount)
  }

  static func begins(_ bytes: [UInt8]) -> Bool {
    // The second is an archive of nothing.
    bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) || bytes.starts(with: Array("PK\u{5}\u{6}".utf8))
  }

  init(_ bytes: [UInt8], path: String) throws(FileError) {
    self.bytes = bytes
    self.path = path
    // The directory's end is followed by a comment of at most 65,535 bytes.
    let starts = (max(0, bytes.count - 22 - 65_535)...max(0, bytes.count - 22)).reversed()
    guard bytes.count >= 22, let end = starts.first(where: { word($0) == 0x0605_4B50 }) else {
      throw error(bytes.count, "the directory of a zip archive", "the end of the file")
    }
    var position = word(end + 16)
    var packedCount = 0
    var count = 0
    let largest = Self.largestContent(of: bytes.count)
    for _ in 0..<half(end + 10) {
      let member = try member(at: &position, before: end)
      members.append(member)
      // Members that share bytes could unpack to far more than the file could hold.
      packedCount += member.packedCount
      count += member.count
      guard packedCount <= bytes.count, count <= largest else {
        throw error(
          position, "at most \(largest.groupedDigits) bytes of content, each byte of it packed once",
          "members of \(packedCount.groupedDigits) bytes that unpack to \(count.groupedDigits)")
      }
    }
  }

  /// The arrays of floats in the file's order; the names of others go to `skipped`.
  func arrays(skipped: inout [String]) throws(FileError) -> [WeightFile.NamedArray] {
    var arrays: [WeightFile.NamedArray] = []
    var names: Set<String> = []
    for member in members {
      guard member.name.hasSuffix(".npy") else {
        let foreign = ForeignWeights.pickle
        let isTorch = member.name.hasSuffix("/data.pkl")
        throw error(
          member.offset, "only .npy arrays in an .npz file",
          isTorch ? foreign.description : member.name.quoted,
          remedy: isTorch ? foreign.remedy : nil)
      }
      let name = String(member.name.dropLast(4))
      guard names.insert(name).inserted else {
        throw error(member.offset, "each name once", "\(name.quoted) again")
      }
      let content = try content(of: member)
      do {
        let array = try NumPyArray(content)
        if array.format.isFloat {
          arrays.append(WeightFile.NamedArray(name: name, shape: array.shape, values: array.values(content)))
        } else {
          skipped.append(name)
        }
      } catch {
        throw self.error(
          member.offset, "\(error.expected) in \(name.quoted)", error.found, remedy: error.remedy)
      }
    }
    return arrays
  }

  /// Reads an entry of the directory and moves on to the next.
  private func member(at position: inout Int, before end: Int) throws(FileError) -> Member {
    guard position + 46 <= end, word(position) == 0x0201_4B50 else {
      throw error(position, "an entry of the archive's directory", "something else")
    }
    let nameEnd = position + 46 + half(position + 28)
    let next = nameEnd + half(position + 30) + half(position + 32)
    let method = half(position + 10)
    guard next <= end, let name = String(validating: bytes[position + 46..<nameEnd], as: UTF8.self) else {
      throw error(position, "a name of UTF-8 in the archive's directory", "other bytes")
    }
    let (packed, count, offset) = (word(position + 20), word(position + 24), word(position + 42))
    guard half(position + 8) & 1 == 0, method == 0 && packed == count || method == 8 else {
      throw error(
        position, "\(name.quoted) stored or deflated",
        half(position + 8) & 1 == 1 ? "it encrypted" : "method \(method)")
    }
    // 258 bytes for 2 bits is the most that deflate can do (RFC 1951).
    guard count <= 1032 * packed + 1032, packed < 0xFFFF_FFFF, count < 0xFFFF_FFFF else {
      throw error(
        position, "a size that \(packed.groupedDigits) packed bytes of \(name.quoted) can unpack to",
        count.groupedDigits)
    }
    let checksum = UInt32(truncatingIfNeeded: word(position + 16))
    position = next
    return Member(
      name: name, isDeflated: method == 8, checksum: checksum, packedCount: packed, count: count,
      offset: offset)
  }

  private func content(of member: Member) throws(FileError) -> [UInt8] {
    let header = member.offset
    guard header + 30 <= bytes.count, word(header) == 0x0403_4B50 else {
      throw error(header, "the header of \(member.name.quoted)", "something else")
    }
    let start = header + 30 + half(header + 26) + half(header + 28)
    guard start + member.packedCount <= bytes.count else {
      throw error(
        start, "\(member.packedCount.groupedDigits) bytes of \(member.name.quoted)", "the end of the file")
    }
    let packed = bytes[start..<start + member.packedCount]
    let content = member.isDeflated ? inflated(packed, count: member.count) : Array(packed)
    guard let content, content.withUnsafeBytes({ CRC32.checksum($0) }) == member.checksum else {
      throw error(
        start, "\(member.count.groupedDigits) bytes of \(member.name.quoted) with their checksum",
        content == nil ? "damaged deflate data" : "another checksum")
    }
    return content
  }

  /// What a stream without header or trailer unpacks to; nil unless that is exactly so many bytes.
  private func inflated(_ packed: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return nil
    }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let content = [UInt8](unsafeUninitializedCapacity: max(1, count)) { output, initialized in
      packed.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(count)
        isWhole = CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0
        initialized = count - Int(stream.avail_out)
      }
    }
    return isWhole ? content : nil
  }

  /// The number of 4 bytes at an offset; 0 beyond the end, which is no signature.
  private func word(_ offset: Int) -> Int { half(offset) | half(offset + 2) << 16 }

  private func half(_ offset: Int) -> Int {
    offset >= 0 && offset + 2 <= bytes.count ? Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 : 0
  }

  private func error(
    _ offset: Int, _ expected: String, _ found: String, remedy: String? = nil
  ) -> FileError {
    FileError(
      .malformed, path: path, byteOffset: offset, expected: expected, found: found,
      remedy: remedy ?? "save the weights again with numpy.savez")
  }
}
