import HostInference
import Images
import Ink
import RuntimePrograms

/// How pictures become what a network takes.
enum PictureFit {
  /// The normalised ink of a picture or drawing.
  case ink(isInkHigh: Bool)
  /// The whole picture, as `inkling-dataset pack` resizes it.
  case resized(Extent3, isInverted: Bool)
}

/// Brings pictures and drawings into the form that a network takes, and has it predict.
struct PictureReader {
  let network: Network
  private let fit: PictureFit
  private let isSegmenting: Bool
  private let isYUp: Bool

  init(_ network: Network, fit: PictureFit, isSegmenting: Bool, isYUp: Bool) {
    self.network = network
    self.fit = fit
    self.isSegmenting = isSegmenting
    self.isYUp = isYUp
  }

  /// The answers for what is in a file: one, or one for each drawing.
  ///
  /// - Parameter report: is told of each drawing that is none.
  func answers(for file: InputFile, _ report: (InputError) -> Void) throws(InputError) -> [Answer] {
    let bytes = try file.read()
    guard DrawingFile.recognizes(bytes) else {
      return [Answer(file: file.path, place: nil, content: try answer(picture: bytes, file.name))]
    }
    guard !isSegmenting else {
      throw InputError(
        .badData, name: file.name, "expected a picture to cut, found drawings; leave --segment out for them")
    }
    var contents: [(line: Int, content: Answer.Content?)] = []
    DrawingFile.forEachDrawing(in: bytes, isYUp: isYUp) { line, result in
      switch result {
      case .success(let filed): contents.append((line, answer(filed.drawing)))
      case .failure(let error):
        contents.append((line, nil))
        report(InputError(.badData, name: file.name, "\(error); correct the drawing"))
      }
    }
    // The drawings of a list have no line of their own.
    let isList = Set(contents.map(\.line)).count < contents.count
    return contents.enumerated().compactMap { index, item in
      item.content.map {
        Answer(
          file: file.path, place: contents.count > 1 ? (isList ? index + 1 : item.line) : nil, content: $0)
      }
    }
  }

  private func answer(picture bytes: [UInt8], _ name: String) throws(InputError) -> Answer.Content {
    let picture: Bitmap
    do throws(PictureError) {
      picture = try Bitmap(decoding: bytes)
    } catch {
      throw InputError(.badData, name: name, "\(error)")
    }
    return blankIfEmpty { () throws(DrawingError) in
      if isSegmenting { return .number(try picture.normalizedDigits().map { read(ink: $0) }) }
      if case .resized(let extent, let isInverted) = fit {
        return .single(read(picture.resized(to: extent, isInverted: isInverted)))
      }
      return .single(read(ink: try picture.normalizedInk()))
    }
  }

  private func answer(_ drawing: Drawing) -> Answer.Content {
    blankIfEmpty { () throws(DrawingError) in .single(read(ink: try drawing.normalized())) }
  }

  /// A file's coordinates are finite, so that there can be no other error than that there are none.
  private func blankIfEmpty(_ content: () throws(DrawingError) -> Answer.Content) -> Answer.Content {
    do throws(DrawingError) { return try content() } catch { return isSegmenting ? .number([]) : .blank }
  }

  /// - Parameter ink: 28 × 28 bytes, ink high.
  private func read(ink: [UInt8]) -> Reading {
    switch fit {
    case .ink(let isInkHigh):
      return read(isInkHigh ? ink : ink.map { 255 - $0 })
    case .resized(let extent, let isInverted):
      // As `inkling-dataset pack` has drawings: dark on light paper.
      let side = NormalizedInk.side
      let page = Bitmap(width: side, height: side, channels: 1, pixels: ink.map { 255 - $0 })
      return read(page.resized(to: extent, isInverted: isInverted))
    }
  }

  private func read(_ pixels: [UInt8]) -> Reading {
    // Whatever made them made as many as the network takes.
    guard let prediction = try? network.predict(pixels) else {
      preconditionFailure("a picture of another size than the network's")
    }
    return Reading(pixels: pixels, prediction: prediction)
  }
}

extension Bitmap {
  /// - Precondition: 1 or 3 channels.
  /// - Returns: [channels, height, width].
  fileprivate func resized(to extent: Extent3, isInverted: Bool) -> [UInt8] {
    let picture = fitted(width: extent.width, height: extent.height, isColored: extent.channels == 3)
    let mask: UInt8 = isInverted ? 0xFF : 0
    return (0..<extent.channels).flatMap { channel in
      (0..<extent.planeCount).map { picture.pixels[$0 * extent.channels + channel] ^ mask }
    }
  }
}
