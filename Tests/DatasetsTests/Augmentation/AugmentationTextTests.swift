import Foundation
import Testing

@testable import Datasets

@Suite struct AugmentationTextTests {
  @Test(arguments: [
    ("none", "none"),
    ("standard", "rotate 10, shift 2, zoom 0.1, shear 5, elastic 1, thickness 0.3"),
    (
      "rotate 10, shift 2, zoom 0.1, shear 5, elastic 1.5, thickness 0.5, noise 0.02",
      "rotate 10, shift 2, zoom 0.1, shear 5, elastic 1.5, thickness 0.5, noise 0.02"
    ),
    ("  noise 2e-2 ,\tshift  1.0", "shift 1, noise 0.02"),
    ("elastic 1.4, sigma 6", "elastic 1.4, sigma 6"),
    ("sigma 4", "none"),
    ("rotate 0", "none"),
    ("standard, rotate 0, elastic 2", "shift 2, zoom 0.1, shear 5, elastic 2, thickness 0.3"),
    ("none, shear 1e-5", "shear 1e-05"),
  ])
  func textBecomesCanonicalAndReadsBack(text: String, canonical: String) throws {
    let augmentation = try Augmentation(parsing: text)
    #expect(augmentation.description == canonical)
    #expect(try Augmentation(parsing: canonical) == augmentation)
    let json = try JSONEncoder().encode([augmentation])
    #expect(try JSONDecoder().decode([Augmentation].self, from: json) == [augmentation])
  }

  @Test func namesStandForTheirValues() throws {
    #expect(try Augmentation(parsing: "standard") == .standard)
    #expect(try Augmentation(parsing: "none") == .none)
    #expect(Augmentation.none.isNone && !Augmentation.standard.isNone)
    let everything = try Augmentation(
      rotation: 1, shift: 2, zoom: 0.3, shear: 4, elastic: 5, elasticSigma: 6, thickness: 7, noise: 0.8)
    let text = "rotate 1, shift 2, zoom 0.3, shear 4, elastic 5, sigma 6, thickness 7, noise 0.8"
    #expect(try Augmentation(parsing: text) == everything)
  }

  static let words = "rotate, shift, zoom, shear, elastic, sigma, thickness, noise"

  @Test(arguments: [
    ("", "augmentation '': expected none, standard or one of \(words), found nothing"),
    ("zoom 0.1,", "augmentation '': expected none, standard or one of \(words), found nothing"),
    ("rotat 10", "augmentation 'rotat': expected one of \(words), found 'rotat'; did you mean rotate?"),
    (
      "standart",
      "augmentation 'standart': expected one of \(words), found 'standart'; did you mean standard?"
    ),
    ("blur 3", "augmentation 'blur': expected one of \(words), found 'blur'"),
    ("zoom 0.1, none", "augmentation 'none': expected it alone and as the first item, found ' none'"),
    ("standard 2", "augmentation 'standard': expected it alone and as the first item, found 'standard 2'"),
    ("rotate", "augmentation 'rotate': expected a number from 0 to 180 (degrees), found nothing"),
    ("rotate ten", "augmentation 'rotate': expected a number from 0 to 180 (degrees), found 'ten'"),
    ("shift 1 2", "augmentation 'shift': expected a number from 0 to 1000 (pixels), found '1 2'"),
    ("zoom 1", "augmentation 'zoom': expected a number from 0 to 0.9 (as a fraction), found 1"),
    ("shear -5", "augmentation 'shear': expected a number from 0 to 80 (degrees), found -5"),
    ("sigma 0", "augmentation 'sigma': expected a number from 0.5 to 1000 (pixels), found 0"),
    ("noise nan", "augmentation 'noise': expected a number from 0 to 1 (as a fraction), found nan"),
    ("elastic inf", "augmentation 'elastic': expected a number from 0 to 1000 (pixels), found inf"),
    ("zoom 0.1, zoom 0.2", "augmentation 'zoom': expected it once, found it again"),
  ])
  func faultsNameTheWord(text: String, message: String) {
    let error = #expect(throws: AugmentationError.self) { try Augmentation(parsing: text) }
    #expect(error?.description == message)
  }

  @Test(arguments: ["a\u{1B}[31m", "rotate 1\n2", "zoom 0.1,\nnone 1", "rotate\u{2028}"])
  func aFaultIsOneShortLineWhateverTheText(start: String) {
    let error = #expect(throws: AugmentationError.self) {
      try Augmentation(parsing: start + String(repeating: "x", count: 100_000))
    }
    let description = error?.description ?? ""
    #expect(1..<300 ~= description.count)
    #expect(!description.unicodeScalars.contains { $0.value < 32 || $0.value == 0x2028 })
  }

  @Test func amountsAreCheckedInCodeToo() {
    let error = #expect(throws: AugmentationError.self) { try Augmentation(thickness: -1) }
    #expect(error?.word == "thickness")
    #expect(throws: AugmentationError.self) { try Augmentation(zoom: .nan) }
    #expect(throws: AugmentationError.self) {
      try JSONDecoder().decode([Augmentation].self, from: Data(#"["rotate 999"]"#.utf8))
    }
  }
}
