import Datasets
import Foundation
import Testing

@testable import Interchange

/// Bytes of a safetensors file from the text of its header and the bytes behind it.
func safetensors(_ header: String, _ data: [UInt8] = [], headerLength: Int? = nil) -> [UInt8] {
  let text = Array(header.utf8)
  let length = headerLength ?? text.count
  return (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + text + data
}

struct SafetensorsFileTests {
  private func refusal(_ bytes: [UInt8]) -> FileError? {
    do throws(FileError) {
      _ = try WeightFile(bytes: bytes, path: "w.safetensors")
      return nil
    } catch {
      return error
    }
  }

  @Test func readsEveryKindOfNumber() throws {
    let data: [UInt8] =
      [0, 0, 0xC0, 0x3F] + [0, 0x3E] + [0xC0, 0xBF] + [0, 0, 0, 0, 0, 0, 0xF8, 0x3F] + [
        7, 0, 0, 0, 0, 0, 0, 0,
      ]
    let file = try WeightFile(
      bytes: safetensors(
        """
        {"__metadata__":{"format":"pt","n\\u00e9":"a\\"b"}, "a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
        "b":{"shape":[],"data_offsets":[4,6],"dtype":"F16"},"c":{"dtype":"BF16","shape":[1,1],"data_offsets":[6,8]},
        "d":{"dtype":"F64","shape":[1],"data_offsets":[8,16]},
        "n.num_batches_tracked":{"dtype":"I64","shape":[],"data_offsets":[16,24]},
        "e":{"dtype":"F32","shape":[0,5],"data_offsets":[24,24]}}
        """ + "   ", data), path: "w")
    #expect(file.arrays.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(file.arrays.map(\.shape) == [[1], [], [1, 1], [1], [0, 5]])
    // 1.5 has the same few bits in all of them; -1.5 shows the sign's place.
    #expect(file.arrays.map(\.values) == [[1.5], [1.5], [-1.5], [1.5], []])
    #expect(file.skipped == ["n.num_batches_tracked"])
    #expect(file.metadata == ["format": "pt", "né": "a\"b"])
  }

  @Test func readsTheFileOrderByOffsets() throws {
    let file = try WeightFile(
      bytes: safetensors(
        #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#,
        [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40]), path: "w")
    #expect(file.arrays.map(\.name) == ["b", "a"] && file.arrays.map(\.values) == [[1], [2]])
    #expect(file.keepsOrder)
  }

  /// Writers put those of 32 bits in front of those of 16, whatever they are called.
  @Test func anOrderByTypeIsNobodysChoice() throws {
    func keepsOrder(_ names: [String], _ types: [String]) throws -> Bool {
      let members = zip(names, types).map { name, type in
        "\"\(name)\":{\"dtype\":\"\(type)\",\"shape\":[0],\"data_offsets\":[0,0]}"
      }
      return try WeightFile(bytes: safetensors("{\(members.joined(separator: ","))}"), path: "w").keepsOrder
    }
    #expect(try !keepsOrder(["b", "c", "a", "d"], ["F32", "F32", "F16", "F16"]))
    #expect(try !keepsOrder(["b", "a", "c"], ["I64", "F32", "F32"]))
    #expect(try keepsOrder(["b", "a", "c"], ["F32", "F32", "F16"]))
  }

  private static func one(_ members: String) -> String { "{\"a\":{\(members)}}" }

  @Test(arguments: [
    (#""dtype":"F32","shape":[2],"data_offsets":[0,4]"#, "8 bytes for 'a', F32 [2], found 4"),
    (
      #""dtype":"F32","shape":[1],"data_offsets":[4,8]"#,
      "'a' within the 4 bytes of numbers, found bytes 4 to 8"
    ),
    (
      #""dtype":"F32","shape":[1],"data_offsets":[4,0]"#,
      "'a' within the 4 bytes of numbers, found bytes 4 to 0"
    ),
    (
      #""dtype":"F32","shape":[0],"data_offsets":[2,2]"#,
      "the numbers of one array after those of another, found a hole"
    ),
    (
      #""dtype":"F32","shape":[0],"data_offsets":[0,0]"#,
      "the end of the file, found 4 bytes that belong to no array"
    ),
    (
      #""dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]"#,
      "'a' as F32, F16, BF16, F64 or whole numbers, found 'F8_E4M3'"
    ),
    (#""dtype":"F32","shape":[-1],"data_offsets":[0,4]"#, "a whole number below 2^63, found '-'"),
    (#""dtype":"F32","shape":[1.5],"data_offsets":[0,4]"#, "']', found '.'"),
    (
      #""dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]"#,
      "a whole number below 2^63, found '9'"
    ),
    (
      #""dtype":"F32","shape":[4294967296,4294967296,0],"data_offsets":[0,0]"#,
      "a shape of 'a' that a file can hold, found [4294967296, 4294967296, 0]"
    ),
    (
      #""dtype":"F32","shape":[0,9223372036854775807,2],"data_offsets":[0,0]"#,
      "a shape of 'a' that a file can hold"
    ),
    (
      #""dtype":"F32","shape":[9223372036854775807,9223372036854775807],"data_offsets":[0,4]"#,
      "a shape of 'a' that a file can hold"
    ),
    (#""dtype":"F32","shape":[1]"#, "dtype, shape and data_offsets of 'a', found only dtype, shape"),
    ("", "dtype, shape and data_offsets of 'a', found none"),
    (#""dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]"#, "each name once, found 'dtype' again"),
    (#""dtype":"F32","shape":[1],"data_offsets":[0,4,4]"#, "two data_offsets, found 3"),
    (#""dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1"#, "dtype, shape or data_offsets, found 'x'"),
    (#""dtype":"F32","shape":[[1]],"data_offsets":[0,4]"#, "a whole number below 2^63, found '['"),
  ])
  func namesWhatIsWrongWithAnEntry(members: String, expected: String) throws {
    let error = try #require(refusal(safetensors(Self.one(members), [0, 0, 0, 0])))
    #expect("\(error)".contains("expected \(expected)"), "\(error)")
    #expect("\(error)".hasPrefix("w.safetensors at byte ") && error.kind == .malformed)
    #expect(!"\(error)".contains("\n"))
  }

  @Test func namesWhatIsWrongWithAHeader() throws {
    let entry = #"{"dtype":"F32","shape":[1],"data_offsets":[0,4]}"#
    let cases: [([UInt8], String)] = [
      ([], "expected safetensors or .npz, found an empty file"),
      (Array("hello, this is text".utf8), "expected safetensors or .npz, found something else"),
      ([0x89] + Array("HDF\r\n0123".utf8), "found HDF5, as Keras saves it"),
      ([0x80, 2] + Array("ccollections".utf8), "found what torch.save writes"),
      (safetensors("{}", headerLength: 3), "a length of 3 bytes"),
      (safetensors("{}", headerLength: -1), "a length of 18,446,744,073,709,551,615 bytes"),
      (safetensors("{}", headerLength: 200_000_000), "a length of 200,000,000 bytes"),
      (safetensors("{\"a\":\(entry),\"a\":\(entry)}", [0, 0, 0, 0]), "each name once, found 'a' again"),
      (safetensors("{\"a\":\(entry),\"b\":\(entry)}", [0, 0, 0, 0]), "'b', which overlaps the one before"),
      (safetensors("{\"a\":\(entry)} x", [0, 0, 0, 0]), "the end of the header, found 'x'"),
      (safetensors("{\"a\":\(entry)", [0, 0, 0, 0]), "'}', found the end of the header"),
      (safetensors("{\"a"), "the end of a string, found the end of the header"),
      (safetensors("{\"a\\"), "the end of a string, found the end of the header"),
      (safetensors("{\"a\\q\":1}"), "a string of JSON, found an escape that is none"),
      (safetensors("{\"__metadata__\":{\"a\":1}}"), "'\"', found '1'"),
      (safetensors("{" + String(repeating: "[", count: 100_000)), "'\"', found '['"),
    ]
    for (bytes, expected) in cases {
      let error = try #require(refusal(bytes), "\(expected)")
      #expect("\(error)".contains(expected), "\(error)")
    }
    var notText = safetensors("{\"a?\":1}")
    notText[11] = 0xFF
    #expect(refusal(notText)?.expected == "a string of UTF-8")
  }

  /// Every file that one flipped byte or a cut makes of a sound one is read or refused; none traps.
  @Test func survivesDamage() throws {
    let sound = try SafetensorsModel(SampleFiles.checkpoint()).bytes
    for position in 0..<min(sound.count, 1500) {
      for change: UInt8 in [1, 0x80, 0x7F] {
        var bytes = sound
        bytes[position] ^= change
        _ = refusal(bytes)
      }
      #expect(refusal(Array(sound.prefix(position))) != nil)
    }
  }
}
