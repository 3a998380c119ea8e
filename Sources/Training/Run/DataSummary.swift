import Datasets
import Foundation
import PlainText
import Tensors

/// What a run was trained on, as `data.json` in its folder keeps it: there when the data is not.
public struct DataSummary: Hashable, Sendable, Codable {
  public var source: String
  public var shape: ImageShape
  public var classes: [Class]
  /// Of all pixels as network input: 0 is paper, 1 full ink.
  public var meanPixel: Double
  public var pixelDeviation: Double
  /// CRC-32 of shape, pixels and labels, in hexadecimal.
  public var checksum: String

  public struct Class: Hashable, Sendable, Codable {
    public var name: String
    /// As files hold it.
    public var label: Int
    public var trainingCount: Int
    public var validationCount: Int
  }

  public var trainingCount: Int { classes.reduce(0) { $0 + $1.trainingCount } }
  public var validationCount: Int { classes.reduce(0) { $0 + $1.validationCount } }

  /// Counts images and pixels. Cost: one pass over the pixels.
  init(_ data: Dataset, training: [Int32], validation: [Int32], checksum: UInt32) {
    let (trainingCounts, validationCounts) = (
      data.classCounts(of: training), data.classCounts(of: validation)
    )
    source = data.source
    shape = data.shape
    classes = data.classes.names.indices.map {
      Class(
        name: data.classes.names[$0], label: data.classes.values[$0], trainingCount: trainingCounts[$0],
        validationCount: validationCounts[$0])
    }
    let pixels = PixelStatistics(data.pixels)
    (meanPixel, pixelDeviation) = (pixels.mean, pixels.deviation)
    self.checksum = checksum.hexadecimal
  }
}

extension DataSummary {
  /// Reads a run's `data.json`. Throws a `FileError` if it is not there or not such a file.
  public init(contentsOf path: String) throws(FileError) {
    let bytes = try FileReader(path: path).readAll()
    guard let summary = try? JSONDecoder().decode(DataSummary.self, from: Data(bytes)), summary.isPossible
    else {
      throw FileError(
        .malformed, path: path, expected: "the data.json of a run", found: "something else",
        remedy: "remove it; the run can do without")
    }
    self = summary
  }

  /// Whether no count is negative, and none so large that their sum is none.
  private var isPossible: Bool {
    classes.count <= ClassTable.largestCount
      && classes.allSatisfy {
        (0...Int(Int32.max)).contains($0.trainingCount) && (0...Int(Int32.max)).contains($0.validationCount)
      }
  }
}

extension UInt32 {
  /// Eight hexadecimal digits, as checksums are written.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
