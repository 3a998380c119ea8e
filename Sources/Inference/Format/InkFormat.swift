// The `.ink` file, version 1. All numbers are little-endian; nothing is padded but where it says so.
//
//   offset  size  content
//   0       4     magic: 0x89 "INK"
//   4       1     version: 1
//   5       1     alignment of tensors in bytes: 1, 2, 4, 8, 16, 32 or 64
//   6       2     number of sections
//   8       4     length of the whole file in bytes
//   12            the sections, one after another
//   end-4   4     CRC-32 (that of zlib) of all bytes before it
//
// A section is a tag of 4 ASCII letters, the length of its content (4 bytes), and the content. They follow each other in
// any order; none of these tags is there twice, and those in capitals are in every file. A reader must understand a tag
// whose first letter is a capital and skips any other that it does not know.
//
//   INPT  the images that the network takes:
//         width (2), height (2), channels (1), polarity (1: 1 where ink is high, 0 where paper is),
//         scale (float), offset (float). A pixel p of 0 to 255 becomes the value p · scale + offset.
//   LABL  the classes: their number (2), then for each the length of its name in bytes (1) and the name in UTF-8.
//   OPER  the operations: their number (2), then each as `Operation` says.
//   TENS  the tensors: their number (2), then for each
//         type (1), zero (1), zero (2), rows (4), columns (4), offset of its data in the file (4).
//         Then the data, each tensor's at a multiple of the alignment, with zeros between. Weights are of any type,
//         biases, scales and shifts of a type of floats.
//   valu  the label value of each class in data sets, as signed 32-bit numbers, where these are not 0, 1, 2, …
//   meta  provenance: pairs of a key and a value, their number (2), then for each pair
//         the length of the key (1), the key, the length of the value (2), the value, all UTF-8.
//   refu  the refusal threshold (float), 0 to 1: an image whose highest probability is below it shows none of the classes.
//   norm  how pictures and drawings become images, 1 byte, 1: as `NormalizedInk` of the module Ink says. Without this
//         section they are resized.
//
// Reserved for later: pers (examples of personal classes).
//
// A tensor is a matrix of rows × columns. Types, and the data of each:
//   0  float32: rows · columns values
//   1  float16: rows · columns values
//   2  int8: `rows` scales (float32), then rows · columns numbers; a value is its number times the scale of its row
//   3  int4: the same, but two numbers in a byte, the first in the low half, each row in whole bytes; -8 to 7
// Reserved: 4 (2 bits), 5 (ternary), 6 (1 bit), 7 (entropy-coded).

/// What is the same in reader and writer of the `.ink` format.
public enum InkFormat {
  public static let version: UInt8 = 1
  static let magic: UInt32 = 0x4B4E_4989
  public static let magicBytes: [UInt8] = [0x89, 0x49, 0x4E, 0x4B]
  public static let headerByteCount = 12
  public static let sectionHeaderByteCount = 8
  public static let tensorEntryByteCount = 16
  public static let checksumByteCount = 4
  /// Stands for a tensor that is not there, such as the bias of a layer without one.
  public static let noTensor = 0xFFFF

  /// What a section holds, by its tag as a little-endian word.
  public enum Section: UInt32, CaseIterable, Sendable {
    case input = 0x5450_4E49  // INPT
    case labels = 0x4C42_414C  // LABL
    case operations = 0x5245_504F  // OPER
    case tensors = 0x534E_4554  // TENS
    case values = 0x756C_6176  // valu
    case metadata = 0x6174_656D  // meta
    case refusal = 0x7566_6572  // refu
    case normalization = 0x6D72_6F6E  // norm
  }

  /// Whether a reader that does not know the tag has to give up: its first letter is a capital.
  static func mustUnderstand(_ tag: UInt32) -> Bool { tag & 0x20 == 0 }
}

/// How the values of a tensor are stored.
public enum TensorType: UInt8, CaseIterable, Sendable {
  case float32 = 0
  case float16 = 1
  case int8 = 2
  case int4 = 3

  /// Whether the values are whole numbers times the scale of their row.
  var isInteger: Bool { self == .int8 || self == .int4 }

  /// The bytes that rows × columns values take, scales included; nil if no 32-bit count holds them.
  public func byteCount(rows: Int, columns: Int) -> Int? {
    let perRow: (Int, overflow: Bool)
    switch self {
    case .float32: perRow = columns.multipliedReportingOverflow(by: 4)
    case .float16: perRow = columns.multipliedReportingOverflow(by: 2)
    case .int8: perRow = columns.addingReportingOverflow(4)
    case .int4: perRow = (columns / 2 + columns % 2).addingReportingOverflow(4)
    }
    let (total, overflow) = perRow.0.multipliedReportingOverflow(by: rows)
    return perRow.overflow || overflow || total > Int(Int32.max) ? nil : total
  }
}
