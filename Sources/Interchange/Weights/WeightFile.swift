import Datasets
import PlainText

/// The weights of a network that another program saved: arrays of numbers by name.
///
/// ```swift
/// let weights = try WeightFile(contentsOf: "mnist.safetensors")
/// for array in weights.arrays { print(array.name, array.shape) }
/// ```
///
/// Reads safetensors and NumPy's `.npz`, by content, whatever the file is called. The file is read whole, and
/// each number becomes a `Float`: together that takes at most three times the size of a safetensors file.
public struct WeightFile: Sendable {
  /// Numbers with a name.
  public struct NamedArray: Hashable, Sendable {
    /// As the file has it, such as `features.0.weight`.
    public let name: String
    public let shape: [Int]
    /// Row-major.
    public let values: [Float]

    /// - Precondition: as many values as the shape says.
    public init(name: String, shape: [Int], values: [Float]) {
      precondition(values.count == shape.reduce(1, *))
      self.name = name
      self.shape = shape
      self.values = values
    }
  }

  public let path: String
  /// The arrays of floats in the order in which they lie in the file.
  public let arrays: [NamedArray]
  /// The names of arrays of whole numbers, such as `num_batches_tracked`, which are no weights.
  public let skipped: [String]
  /// What a safetensors file says of itself; empty for `.npz`.
  public let metadata: [String: String]
  /// Whether the order in the file is one that somebody chose, rather than that of the alphabet.
  let keepsOrder: Bool

  /// The most bytes that a file may have.
  static let largestByteCount = 1 << 31

  /// The kinds of files that can be read, by how they begin.
  private enum Format { case safetensors, zip }

  /// Reads a file. Throws a `FileError` for whatever is wrong with it.
  public init(contentsOf path: String) throws(FileError) {
    let reader = try FileReader(path: path)
    guard reader.byteCount <= Self.largestByteCount else {
      throw FileError(
        .malformed, path: path, expected: "at most 2 GB of weights",
        found: "\(reader.byteCount.groupedDigits) bytes", remedy: "save the weights of one small network")
    }
    try self.init(bytes: try reader.readAll(), path: path)
  }

  /// Reads the bytes of a file. Throws a `FileError` for whatever is wrong with them.
  ///
  /// - Parameters:
  ///   - bytes: the whole file
  ///   - path: what errors call it
  public init(bytes: [UInt8], path: String) throws(FileError) {
    self.path = path
    var skipped: [String] = []
    switch Self.format(bytes) {
    case .safetensors:
      let header = try SafetensorsHeader(bytes, path: path)
      arrays = try header.arrays(bytes, path: path, skipped: &skipped)
      metadata = header.metadata
      keepsOrder = header.keepsOrder
    case .zip:
      let archive = try ZipArchive(bytes, path: path)
      arrays = try archive.arrays(skipped: &skipped)
      metadata = [:]
      keepsOrder = true
    case nil:
      throw Self.unknownContent(bytes, path: path)
    }
    self.skipped = skipped
  }

  init(path: String, arrays: [NamedArray], keepsOrder: Bool) {
    self.path = path
    self.arrays = arrays
    self.keepsOrder = keepsOrder
    skipped = []
    metadata = [:]
  }

  /// Whether a file begins as one of weights does, and not as a checkpoint.
  public static func isWeightFile(_ path: String) throws(FileError) -> Bool {
    let reader = try FileReader(path: path)
    var head = [UInt8](repeating: 0, count: 9)
    var (failure, count): (FileError?, Int) = (nil, 0)
    head.withUnsafeMutableBytes { buffer in
      do throws(FileError) { count = try reader.read(into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    head.removeLast(9 - count)
    return format(head) != nil || ForeignWeights(head) != nil
  }

  private static func format(_ bytes: [UInt8]) -> Format? {
    if ZipArchive.begins(bytes) { return .zip }
    return SafetensorsHeader.begins(bytes) ? .safetensors : nil
  }

  private static func unknownContent(_ bytes: [UInt8], path: String) -> FileError {
    let foreign = ForeignWeights(bytes)
    return FileError(
      .malformed, path: path, byteOffset: 0, expected: "safetensors or .npz",
      found: foreign?.description ?? (bytes.isEmpty ? "an empty file" : "something else"),
      remedy: foreign?.remedy ?? "save the weights with Python's safetensors or numpy.savez")
  }
}

/// Weights of formats that are known but not read.
enum ForeignWeights: CustomStringConvertible {
  case pickle, torchArchive, hdf5

  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x80, 0x02]) || bytes.starts(with: [0x80, 0x04]) {
      self = .pickle
    } else if bytes.starts(with: [0x89] + Array("HDF".utf8)) {
      self = .hdf5
    } else {
      return nil
    }
  }

  var description: String {
    switch self {
    case .pickle, .torchArchive: "what torch.save writes, which is a program as much as data"
    case .hdf5: "HDF5, as Keras saves it"
    }
  }

  var remedy: String {
    switch self {
    case .pickle, .torchArchive:
      "save it with safetensors.torch.save_file(model.state_dict(), \"weights.safetensors\")"
    case .hdf5: "save the weights with numpy.savez, convolutions as OIHW and dense layers as [out, in]"
    }
  }
}
