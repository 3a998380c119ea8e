import Datasets
import Foundation
import Tensors
import Wire

// The file, little-endian throughout:
//
//   offset  size  content
//   0       8     magic, "INKLINGc"
//   8       4     version, 1
//   12      4     n, the length of the description
//   16      n     description, a JSON object (`Description`)
//   16+n    4·k   values as Float32: the model's trainable part and state, then the optimiser's state,
//                 then the moving average; the description says how many of each
//   end-4   4     CRC-32 of all bytes before it

extension Checkpoint {
  static let magic = Array("INKLINGc".utf8)
  static let version: UInt32 = 1
  private static let headerCount = 16

  private struct Description: Codable {
    var input: ImageShape
    var layers: String
    var classes: ClassTable
    var configuration: TrainingConfiguration?
    var progress: TrainingProgress?
    var dataChecksum: UInt32?
    var numerics: Numerics
    var valueCount: Int
    var optimizerCount: Int
    var averageCount: Int
  }

  /// Writes the checkpoint; the file appears, or replaces an older one, only once it is safe on disk.
  ///
  /// Throws a `FileError` if there is no room or no permission; then an older file stays as it was.
  public func write(to path: String) throws(FileError) {
    let description = Description(
      input: model.architecture.input, layers: model.architecture.text, classes: classes,
      configuration: configuration, progress: progress, dataChecksum: dataChecksum, numerics: numerics,
      valueCount: model.values.count, optimizerCount: optimizerState.count, averageCount: average.count)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let json = try? encoder.encode(description) else {
      throw FileError(
        .unwritable, path: path, expected: "settings that JSON can hold", found: "an infinite number")
    }
    var content = Self.magic + bytes(Self.version) + bytes(UInt32(json.count)) + Array(json)
    for section in [model.values, optimizerState, average] {
      section.withUnsafeBytes { content.append(contentsOf: $0) }
    }
    content += bytes(content.withUnsafeBytes { CRC32.checksum($0) })
    try AtomicFile.write(content, to: path)
  }

  /// Reads a checkpoint. Throws a `FileError` with the byte offset for anything that `write` would not write.
  public init(contentsOf path: String) throws(FileError) {
    let reader = try FileReader(path: path)
    func malformed(_ offset: Int, _ expected: String, _ found: String) -> FileError {
      FileError(
        .malformed, path: path, byteOffset: offset, expected: expected, found: found,
        remedy: "use a .ckpt file that inkling-train wrote")
    }
    guard reader.starts(with: Self.magic) else {
      throw malformed(0, "a checkpoint", reader.byteCount == 0 ? "an empty file" : "something else")
    }
    let content = try reader.readAll()
    let count = content.count
    guard count >= Self.headerCount + 4 else {
      throw malformed(count, "a whole checkpoint", "the end of the file")
    }
    let version = word(content, at: 8)
    guard version == Self.version else {
      throw malformed(8, "version \(Self.version)", "version \(version)")
    }
    let stored = word(content, at: count - 4)
    let computed = content.withUnsafeBytes {
      CRC32.checksum(UnsafeRawBufferPointer(rebasing: $0.dropLast(4)))
    }
    guard stored == computed else {
      throw malformed(
        count - 4, "checksum \(computed.hexadecimal)", "\(stored.hexadecimal): the file is damaged")
    }
    let jsonCount = Int(word(content, at: 12))
    guard jsonCount <= count - Self.headerCount - 4 else {
      throw malformed(12, "a description within the file", "a length of \(jsonCount) bytes")
    }
    let json = Data(content[Self.headerCount..<Self.headerCount + jsonCount])
    let description: Description
    let architecture: Architecture
    do {
      description = try JSONDecoder().decode(Description.self, from: json)
      architecture = try Architecture(input: description.input, parsing: description.layers)
    } catch let error as DecodingError {
      throw malformed(
        Self.headerCount, "a description of the model", "JSON without what it needs (\(error.reason))")
    } catch {
      throw malformed(Self.headerCount, "a description of the model", "\(error)")
    }
    guard description.configuration?.isPlausible ?? true else {
      throw malformed(Self.headerCount, "a configuration that can be run", "sizes out of range")
    }
    let table = ParameterTable(architecture)
    let optimizer = description.configuration?.optimizer.rule.stateCount ?? 0
    let allowed = [
      [table.count], [0, optimizer * table.trainableCount], [0, table.count],
    ]
    let counts = [description.valueCount, description.optimizerCount, description.averageCount]
    let valuesStart = Self.headerCount + jsonCount
    let available = (count - valuesStart - 4) / 4
    guard zip(allowed, counts).allSatisfy({ $0.contains($1) }), counts.reduce(0, +) == available,
      (count - valuesStart) % 4 == 0, description.classes.count == architecture.output.count
    else {
      throw malformed(
        valuesStart, "\(table.count) values for \(architecture.text)",
        "\(available), described as \(counts)")
    }
    var position = valuesStart
    func take(_ count: Int) -> [Float] {
      defer { position += 4 * count }
      return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
        content.withUnsafeBytes { bytes in
          let section = UnsafeRawBufferPointer(rebasing: bytes[position..<position + 4 * count])
          UnsafeMutableRawBufferPointer(buffer).copyMemory(from: section)
        }
        initialized = count
      }
    }
    model = Model(architecture: architecture, values: take(counts[0]))
    optimizerState = take(counts[1])
    average = take(counts[2])
    classes = description.classes
    configuration = description.configuration
    progress = description.progress
    dataChecksum = description.dataChecksum
    numerics = description.numerics
  }
}

private func bytes(_ word: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
}

private func word(_ content: [UInt8], at offset: Int) -> UInt32 {
  (0..<4).reduce(0) { $0 | UInt32(content[offset + $1]) << (8 * UInt32($1)) }
}

extension DecodingError {
  /// The decoder's own words, without the tree around them.
  fileprivate var reason: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context.debugDescription
    @unknown default: "unknown"
    }
  }
}
