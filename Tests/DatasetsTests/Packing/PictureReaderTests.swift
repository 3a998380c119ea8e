import Images
import Ink
import Tensors
import Testing

@testable import Datasets

@Suite struct PictureReaderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(
    fit: PictureFit = .ink, isYUp: Bool = false, threads: Int = 2
  ) throws -> [Result<PackedImage, FileError>] {
    PictureReader(fit: fit, isYUp: isYUp)
      .read(try PictureFolder(path: folder.path).files, threads: threads)
      .map { result in
        result.mapError { error in
          var short = error
          short.path = String(error.path.dropFirst(folder.path.count + 1))
          return short
        }
      }
  }

  @Test func picturesBecomeImagesInTheOrderOfTheirFiles() throws {
    // More than are read at once.
    for number in 100..<170 { try folder.bar("\(number % 3)/\(number).png", height: 10 + number % 30) }
    let results = try read()
    let names = (100..<170).map { "\($0 % 3)" }.sorted()
    #expect(words(results) == names)
    let images = try results.map { try $0.get().pixels }
    #expect(images.allSatisfy { $0.count == 784 && $0.contains(255) && $0[0] == 0 })
    #expect(try read(threads: 1).map { try $0.get().pixels } == images)
    var counts: [Int] = []
    _ = PictureReader(fit: .ink, isYUp: false).read(
      try PictureFolder(path: folder.path).files, threads: 1, progress: { counts.append($0) })
    #expect(counts == [64, 70])
  }

  @Test func whatIsNoPictureOfInkIsNamed() throws {
    try folder.deepFile("a/blank.png", Bitmap(width: 9, height: 9, channels: 1, filledWith: 200).png())
    try folder.deepFile("a/cut.png", Array(Bitmap(width: 9, height: 9, channels: 1).png().dropLast(20)))
    try folder.text("a/notes.txt", "to do")
    try folder.bar("a/right.png")
    let found = words(try read())
    #expect(found[0] == "a/blank.png: expected a picture with ink, found nothing but paper; leave it out")
    #expect(found[1].hasPrefix("a/cut.png: expected a whole PNG, found a damaged one"))
    #expect(found[2].hasPrefix("a/notes.txt: expected a PNG, JPEG, PGM or PPM picture, found something else"))
    #expect(found[3] == "a")
    // A blank picture is one like others where ink does not matter.
    #expect(
      words(try read(fit: .resized(width: 2, height: 2, isColored: false, isInverted: false)))[0] == "a")
  }

  @Test func eachDrawingOfAFileCounts() throws {
    try folder.text(
      "all.jsonl",
      """
      {"label": 7, "strokes": [[[0, 0], [9, 0], [4, 12]]]}
      {"word": "line", "drawing": [[[1, 5], [2, 2]]]}

      {"strokes": [[[0, 0]]]}
      {"label": "x", "strokes": []}
      {"label": " x", "strokes": [[[0, 0]]]}
      {"label":
      {"label": "dot", "strokes": [[[3, 3]]]}
      """)
    try folder.text("b/one.json", #"[{"strokes": [[[0, 0], [1, 1]]]}, {"label": 7, "strokes": [[[0, 0]]]}]"#)
    let found = words(try read())
    #expect([found[0], found[1], found[6]] == ["7", "line", "dot"])
    #expect(
      found[2]
        == "all.jsonl in line 4: expected a drawing that says what it shows, found one without \"label\" or "
        + "\"word\"; add it, or put the file into a subfolder named after what it shows")
    #expect(found[3] == "all.jsonl in line 5: expected a drawing with ink, found no point; leave it out")
    #expect(found[4].hasPrefix("all.jsonl in line 6: expected the name of a class, found ' x'"))
    #expect(found[5].hasPrefix("all.jsonl in line 7: expected a JSON object"))
    #expect(found[7...] == ["b", "b"])
  }

  @Test func drawingsMayStandOnTheirHeads() throws {
    try folder.text("a/seven.json", #"{"strokes": [[[0, 0], [9, 0], [4, 12]]]}"#)
    try folder.text("a/turned.json", #"{"strokes": [[[0, 0], [9, 0], [4, -12]]]}"#)
    let (down, up) = (
      try read().map { try $0.get().pixels }, try read(isYUp: true).map { try $0.get().pixels }
    )
    #expect(up[0] == down[1] && up[1] == down[0] && down[0] != down[1])
    let seven = Drawing(strokes: [
      Stroke(points: [StrokePoint(x: 0, y: 0), StrokePoint(x: 9, y: 0), StrokePoint(x: 4, y: 12)])
    ])
    #expect(down[0] == (try seven.normalized()))
  }

  @Test func resizedPicturesKeepTheirColours() throws {
    // Left half red, right half dark blue.
    var picture = Bitmap(width: 4, height: 4, channels: 3)
    for pixel in 0..<16 {
      picture.pixels.replaceSubrange(
        3 * pixel..<3 * pixel + 3, with: pixel % 4 < 2 ? [200, 0, 0] : [0, 0, 50])
    }
    try folder.deepFile("a/1.png", picture.png())
    func pixels(_ isColored: Bool, _ isInverted: Bool) throws -> [UInt8] {
      let fit = PictureFit.resized(width: 2, height: 2, isColored: isColored, isInverted: isInverted)
      let pixels = try read(fit: fit)[0].get().pixels
      #expect(fit.shape == ImageShape(channels: isColored ? 3 : 1, height: 2, width: 2))
      #expect(pixels.count == fit.shape.count)
      return pixels
    }
    #expect(try pixels(true, false) == [200, 0, 200, 0, 0, 0, 0, 0, 0, 50, 0, 50])
    #expect(try pixels(true, true) == [55, 255, 55, 255, 255, 255, 255, 255, 255, 205, 255, 205])
    // 0.299 · 200 and 0.114 · 50.
    #expect(try pixels(false, false) == [60, 6, 60, 6])
  }

  @Test func aResizedDrawingIsDarkOnLightPaper() throws {
    try folder.text("a/1.json", #"{"strokes": [[[0, 0], [0, 9]]]}"#)
    func pixels(isInverted: Bool) throws -> [UInt8] {
      try read(fit: .resized(width: 56, height: 28, isColored: false, isInverted: isInverted))[0].get().pixels
    }
    let plain = try pixels(isInverted: false)
    #expect(plain.count == 56 * 28 && plain[0] == 255 && plain[14 * 56 + 28] == 0)
    #expect(try pixels(isInverted: true) == plain.map { 255 - $0 })
  }
}
