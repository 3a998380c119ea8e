import HostInference
import Images
import Ink
import RuntimePrograms

/// Brings pictures and drawings into the form that a network takes, and has it predict.
struct PictureReader {
  let network: Network
  private let isSegmenting: Bool
  private let isYUp: Bool
  /// Nil for a network that takes normalised ink.
  private let plainFormat: PlainFormat?

  /// Throws an `InputError` for a network that pictures cannot be brought to.
  init(_ network: Network, isSegmenting: Bool, isYUp: Bool) throws(InputError) {
    self.network = network
    self.isSegmenting = isSegmenting
    self.isYUp = isYUp
    if network.takesNormalizedInk {
      plainFormat = nil
      return
    }
    let extent = network.input.extent
    guard extent.channels == 1 || extent.channels == 3 else {
      throw InputError(
        .badData, name: "--model",
        "expected a network of grey or RGB images, found one of \(extent.channels) channels; name another")
    }
    plainFormat = PlainFormat(
      width: extent.width, height: extent.height, channels: extent.channels,
      isInkHigh: network.input.isInkHigh)
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
    let entries = DrawingFile.entries(bytes, isYUp: isYUp)
    return entries.compactMap { entry in
      do throws(DrawingFileError) {
        let drawing = try entry.drawing.get().drawing
        return Answer(
          file: file.path, place: entries.count > 1 ? entry.place.number : nil, content: answer(drawing))
      } catch {
        report(InputError(.badData, name: file.name, "\(error); correct the drawing"))
        return nil
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
      if isSegmenting { return .number(try picture.normalizedDigits().map { read(normalized: $0) }) }
      if let plainFormat { return .single(read(picture.fitted(to: plainFormat))) }
      return .single(read(normalized: try picture.normalizedInk()))
    }
  }

  private func answer(_ drawing: Drawing) -> Answer.Content {
    blankIfEmpty { () throws(DrawingError) in .single(read(normalized: try drawing.normalized())) }
  }

  /// A file's coordinates are finite, so that there can be no other error than that there are none.
  private func blankIfEmpty(_ content: () throws(DrawingError) -> Answer.Content) -> Answer.Content {
    do throws(DrawingError) { return try content() } catch { return isSegmenting ? .number([]) : .blank }
  }

  /// - Parameter ink: 28 × 28 bytes, ink high.
  private func read(normalized ink: [UInt8]) -> Reading {
    guard let plainFormat else { return read(network.input.isInkHigh ? ink : ink.map { 255 - $0 }) }
    let side = NormalizedInk.side
    return read(Bitmap(width: side, height: side, channels: 1, pixels: ink).fitted(to: plainFormat))
  }

  private func read(_ pixels: [UInt8]) -> Reading {
    // Whatever made them made as many as the network takes.
    guard let prediction = try? network.predict(pixels) else {
      preconditionFailure("a picture of another size than the network's")
    }
    return Reading(pixels: pixels, prediction: prediction)
  }
}
