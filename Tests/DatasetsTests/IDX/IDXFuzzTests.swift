import Tensors
import Testing

@testable import Datasets

@Suite struct IDXFuzzTests {
  /// SplitMix64: a small generator with a seed, so that a failure repeats.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
      return bits ^ bits >> 31
    }
  }

  /// A few changed, removed, repeated or appended bytes, most of them near the header.
  func mutated(_ content: [UInt8], _ generator: inout Generator) -> [UInt8] {
    var content = content
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !content.isEmpty {
      let limit = Bool.random(using: &generator) ? min(content.count, 20) : content.count
      let place = Int.random(in: 0..<limit, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: content[place] = .random(in: 0...255, using: &generator)
      case 1: content[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: content[place] = [0, 1, 4, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      case 3: content.removeLast(content.count - place)
      case 4: content.insert(contentsOf: content[..<place], at: place)
      default: content.append(.random(in: 0...255, using: &generator))
      }
    }
    return content
  }

  @Test func mutatedFilesGiveASetOrAnError() throws {
    let folder = try TemporaryFolder()
    let arrays = [
      IDX.images(3), IDX.labels([0, 1, 2]), IDX(.int32, [3, 2], [Int32](0..<6)),
      IDX(.float64, [3, 1, 1, 2], [0.5, 1, 0, 0.25, 1, 1].map(\.bitPattern)),
    ]
    var seeds = [[UInt8]]()
    for (index, array) in arrays.enumerated() {
      seeds.append(try bytes(atPath: folder.file("raw\(index)", array)))
      seeds.append(try bytes(atPath: folder.file("gz\(index)", array, gzip: true)))
    }
    let (images, labels) = ("\(folder.path)/raw0", "\(folder.path)/raw1")
    var generator = Generator(state: 1)
    var (sound, broken) = (0, 0)
    for round in 0..<4000 {
      let path = try folder.file("mutated", mutated(seeds[round % seeds.count], &generator))
      let pair = round / seeds.count % 2 == 0 ? (path, labels) : (images, path)
      do throws(FileError) {
        let dataset = try Dataset.load(images: pair.0, labels: pair.1, transpose: round % 3 == 0)
        #expect(dataset.pixels.count == dataset.count * dataset.shape.count)
        sound += 1
      } catch {
        #expect(!error.description.contains("\n"))
        broken += 1
      }
    }
    #expect(sound > 50 && broken > 2000)
  }

  @Test func mutatedNamesGiveATableOrAnError() throws {
    let folder = try TemporaryFolder()
    var generator = Generator(state: 2)
    for text in ["0 48\n1 49\n10 65 97\n", "cat\ndog\n"] {
      for _ in 0..<300 {
        let path = try folder.file("names", mutated(Array(text.utf8), &generator))
        do throws(FileError) {
          _ = try ClassNames(contentsOf: path).table(of: [0, 1], labelsPath: "y")
        } catch {
          #expect(!error.description.contains("\n"))
        }
      }
    }
  }
}
