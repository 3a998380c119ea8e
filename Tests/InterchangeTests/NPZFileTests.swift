import Datasets
import Foundation
import Testing
import Wire

@testable import Interchange

/// An .npy array from the text of its header.
private func npy(_ header: String, _ data: [UInt8], version: UInt8 = 1) -> [UInt8] {
  let count = header.utf8.count
  let length = (0..<(version == 1 ? 2 : 4)).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  return [0x93] + Array("NUMPY".utf8) + [version, 0] + length + Array(header.utf8) + data
}

/// A zip archive of stored members, with what its directory says of the last one changed.
private func zip(_ members: [(name: String, content: [UInt8])], _ change: (inout Entry) -> Void = { _ in })
  -> [UInt8]
{
  var (file, directory): ([UInt8], [UInt8]) = ([], [])
  for (index, member) in members.enumerated() {
    let name = Array(member.name.utf8)
    var entry = Entry(
      checksum: member.content.withUnsafeBytes { CRC32.checksum($0) }, packed: member.content.count,
      count: member.content.count, offset: file.count)
    if index == members.count - 1 { change(&entry) }
    // The member's own header says nothing of sizes, as where they were not known yet.
    file +=
      words(4, 0x0403_4B50) + words(2, 45, 0, entry.method, 0, 0) + words(4, 0, 0xFFFF_FFFF, 0xFFFF_FFFF)
    file += words(2, name.count, 0) + name + member.content
    directory += words(4, 0x0201_4B50) + words(2, 45, 45, entry.flags, entry.method, 0, 0)
    directory += words(4, Int(entry.checksum), entry.packed, entry.count)
    directory += words(2, name.count, 0, 0, 0, 0) + words(4, 0, entry.offset) + name
  }
  return file + directory + words(4, 0x0605_4B50) + words(2, 0, 0, members.count, members.count)
    + words(4, directory.count, file.count) + words(2, 0)
}

private struct Entry {
  var checksum: UInt32
  var packed: Int
  var count: Int
  var offset: Int
  var method = 0
  var flags = 0
}

/// Numbers of so many bytes each, little-endian.
private func words(_ byteCount: Int, _ numbers: Int...) -> [UInt8] {
  numbers.flatMap { number in (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
}

struct NPZFileTests {
  // numpy.savez and numpy.savez_compressed, NumPy 2.4.6, of
  // {"0.weight": numpy.asfortranarray(numpy.arange(6, dtype="<f4").reshape(2, 3)),
  //  "0.bias": numpy.array([0.5, -2], "<f8"), "n": numpy.int64(7)}
  private static let stored = """
    UEsDBC0AAAAAAAAAIQDOLODT//////////8MABQAMC53ZWlnaHQubnB5AQAQAJgAAAAAAAAAmAAAAAAAAACTTlVNUFkBAHYAeydk
    ZXNjcic6ICc8ZjQnLCAnZm9ydHJhbl9vcmRlcic6IFRydWUsICdzaGFwZSc6ICgyLCAzKSwgfSAgICAgICAgICAgICAgICAgICAg
    ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgCgAAAAAAAEBAAACAPwAAgEAAAABAAACgQFBLAwQtAAAAAAAA
    ACEArFm8df//////////CgAUADAuYmlhcy5ucHkBABAAkAAAAAAAAACQAAAAAAAAAJNOVU1QWQEAdgB7J2Rlc2NyJzogJzxmOCcs
    ICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgyLCksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg
    ICAgICAgICAgICAgICAgICAgICAgICAgICAKAAAAAAAA4D8AAAAAAAAAwFBLAwQtAAAAAAAAACEAI7jwbP//////////BQAUAG4u
    bnB5AQAQAIgAAAAAAAAAiAAAAAAAAACTTlVNUFkBAHYAeydkZXNjcic6ICc8aTgnLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAn
    c2hhcGUnOiAoKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg
    CgcAAAAAAAAAUEsBAi0DLQAAAAAAAAAhAM4s4NOYAAAAmAAAAAwAAAAAAAAAAAAAAIABAAAAADAud2VpZ2h0Lm5weVBLAQItAy0A
    AAAAAAAAIQCsWbx1kAAAAJAAAAAKAAAAAAAAAAAAAACAAdYAAAAwLmJpYXMubnB5UEsBAi0DLQAAAAAAAAAhACO48GyIAAAAiAAA
    AAUAAAAAAAAAAAAAAIABogEAAG4ubnB5UEsFBgAAAAADAAMApQAAAGECAAAAAA==
    """
  private static let deflated = """
    UEsDBC0AAAAIAAAAIQDOLODT//////////8MABQAMC53ZWlnaHQubnB5AQAQAJgAAAAAAAAAVgAAAAAAAACb7BfqGxDJyFDGUK2e
    klqcXKRupaBuk2airqOgnpZfVFKUmBefX5SSChIPKSpNBQoXZyQWpAK5GkY6CsaaOgq1CuQDLgYwcHBgYGiwB2IHEIeBYYEDAFBL
    AwQtAAAACAAAACEArFm8df//////////CgAUADAuYmlhcy5ucHkBABAAkAAAAAAAAABNAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxc
    pG6loG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6mjoKtQoUAC4GMHhgD6EZDgAAUEsDBC0AAAAIAAAAIQAj
    uPBs//////////8FABQAbi5ucHkBABAAiAAAAAAAAABGAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loG6TaaGuo6Cell9UUpSY
    F59flJIKEndLzClOBYoXZyQWpAL5Gpo6CrUKFAEudgYIAABQSwECLQMtAAAACAAAACEAzizg01YAAACYAAAADAAAAAAAAAAAAAAA
    gAEAAAAAMC53ZWlnaHQubnB5UEsBAi0DLQAAAAgAAAAhAKxZvHVNAAAAkAAAAAoAAAAAAAAAAAAAAIABlAAAADAuYmlhcy5ucHlQ
    SwECLQMtAAAACAAAACEAI7jwbEYAAACIAAAABQAAAAAAAAAAAAAAgAEdAQAAbi5ucHlQSwUGAAAAAAMAAwClAAAAmgEAAAAA
    """

  private static let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"

  private func refusal(_ bytes: [UInt8]) -> FileError? {
    do throws(FileError) {
      _ = try WeightFile(bytes: bytes, path: "w.npz")
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [stored, deflated]) func readsWhatNumPyWrites(_ text: String) throws {
    let bytes = try #require(Data(base64Encoded: text.replacing("\n", with: "")))
    let file = try WeightFile(bytes: Array(bytes), path: "w.npz")
    #expect(file.arrays.map(\.name) == ["0.weight", "0.bias"] && file.skipped == ["n"] && file.keepsOrder)
    #expect(file.arrays.map(\.shape) == [[2, 3], [2]])
    #expect(file.arrays.map(\.values) == [[0, 1, 2, 3, 4, 5], [0.5, -2]])
  }

  @Test func readsAllVersionsAndOrders() throws {
    let data = words(4, 0x3F80_0000, 0x4000_0000)
    let file = try WeightFile(
      bytes: zip([
        ("a.npy", npy("{'shape': (1, 2), 'fortran_order': True, 'descr': '<f4'}\n", data, version: 2)),
        (
          "b.npy",
          npy("{\"descr\":\"<f2\",\"fortran_order\":False,\"shape\":()}", words(2, 0x3C00), version: 3)
        ),
        ("c.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }", [])),
      ]), path: "w")
    #expect(
      file.arrays.map(\.shape) == [[1, 2], [], [0, 3]] && file.arrays.map(\.values) == [[1, 2], [1], []])
  }

  /// Deflate's own way of storing: one last block of these bytes.
  private func storedBlock(_ bytes: [UInt8]) -> [UInt8] { [1] + words(2, bytes.count, ~bytes.count) + bytes }

  @Test func namesWhatIsWrongWithAnArchive() throws {
    let array = npy(Self.header, words(4, 0x3F80_0000))
    let one = [(name: "a.npy", content: array)]
    let cases: [([UInt8], String)] = [
      (Array(zip(one).dropLast(30)), "expected the directory of a zip archive"),
      (zip(one) { $0.checksum ^= 1 }, "bytes of 'a.npy' with their checksum, found another checksum"),
      (zip(one) { $0.flags = 1 }, "'a.npy' stored or deflated, found it encrypted"),
      (zip(one) { $0.method = 12 }, "'a.npy' stored or deflated, found method 12"),
      (zip(one) { $0.count += 1 }, "'a.npy' stored or deflated, found method 0"),
      (zip(one) { ($0.packed, $0.count) = (1 << 20, 1 << 20) }, "each byte of it packed once"),
      (zip(one) { ($0.method, $0.count) = (8, 1 << 30) }, "packed bytes of 'a.npy' can unpack to"),
      // A thousandfold, as deflate can do it, would be much for a small file.
      (
        zip([("a.npy", [UInt8](repeating: 0, count: 20_000))]) { ($0.method, $0.count) = (8, 20_000_000) },
        "expected at most 17,286,912 bytes of content"
      ),
      (zip(one) { $0.method = 8 }, "found damaged deflate data"),
      (zip(one) { $0.offset = 7 }, "the header of 'a.npy', found something else"),
      (zip(one) { $0.offset = 0xFFFF_FFF0 }, "the header of 'a.npy', found something else"),
      (zip(one + one), "each name once, found 'a' again"),
      (zip([("a.txt", array)]), "only .npy arrays in an .npz file, found 'a.txt'"),
      (zip([("archive/data.pkl", array)]), "found what torch.save writes"),
      (
        zip([("a.npy", storedBlock(array))]) { ($0.method, $0.count) = (8, array.count + 1) },
        "damaged deflate data"
      ),
      (
        zip([("a.npy", storedBlock(array))]) { ($0.method, $0.count) = (8, array.count - 1) },
        "damaged deflate data"
      ),
    ]
    for (bytes, expected) in cases {
      let error = try #require(refusal(bytes), "\(expected)")
      #expect("\(error)".contains(expected), "\(error)")
      #expect("\(error)".hasPrefix("w.npz at byte ") && !"\(error)".contains("\n"))
    }
    #expect(refusal(zip(one)) == nil)
    let checksum = array.withUnsafeBytes { CRC32.checksum($0) }
    #expect(
      refusal(
        zip([("a.npy", storedBlock(array))]) {
          ($0.method, $0.count, $0.checksum) = (8, array.count, checksum)
        })
        == nil)
  }

  @Test(arguments: [
    (
      "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}",
      "<f2, <f4, <f8 or whole numbers in 'a', found '>f4'"
    ),
    ("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "found '|O'"),
    (
      "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}",
      "a dictionary of descr, fortran_order and shape"
    ),
    ("{'descr': '<f4', 'shape': (1,)}", "a dictionary of descr, fortran_order and shape"),
    ("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "the bytes of <f4 [2] in 'a', found 4"),
    ("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "a dictionary"),
    (
      "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9)}",
      "the bytes of <f4 [9223372036854775807, 9]"
    ),
    ("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "a dictionary"),
    ("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", "a dictionary"),
    ("{'descr': '<f4", "a dictionary"),
    ("", "a dictionary"),
  ])
  func namesWhatIsWrongWithAnArray(header: String, expected: String) throws {
    let error = try #require(refusal(zip([("a.npy", npy(header, words(4, 0x3F80_0000)))])))
    #expect("\(error)".contains("expected \(expected)") || "\(error)".contains(expected), "\(error)")
  }

  @Test func namesArraysThatAreNone() throws {
    let array = npy(Self.header, words(4, 0x3F80_0000))
    for (content, expected) in [
      ([], "an .npy array of version 1 to 3"),
      (Array("hello world!".utf8), "an .npy array of version 1 to 3"),
      (Array(array.prefix(20)), "a header within the array"),
      (npy(Self.header, words(4, 0), version: 4), "an .npy array of version 1 to 3"),
    ] {
      let error = try #require(refusal(zip([("a.npy", content)])))
      #expect("\(error)".contains(expected), "\(error)")
    }
  }

  /// Every file that one changed byte or a cut makes of a sound one is read or refused; none traps.
  @Test func survivesDamage() throws {
    for text in [Self.stored, Self.deflated] {
      let sound = Array(try #require(Data(base64Encoded: text.replacing("\n", with: ""))))
      for position in sound.indices {
        for change: UInt8 in [1, 0x80, 0xFF] {
          var bytes = sound
          bytes[position] ^= change
          _ = refusal(bytes)
        }
        #expect(refusal(Array(sound.prefix(position))) != nil)
      }
    }
  }
}
