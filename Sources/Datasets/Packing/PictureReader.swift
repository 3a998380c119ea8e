import Images
import Ink
import PlainText
import Tensors

/// An image that was made of a picture or a drawing.
package struct PackedImage: Sendable {
  package let className: String
  /// [channels, height, width].
  package let pixels: [UInt8]
}

/// Makes images of files.
package struct PictureReader: Sendable {
  package let fit: PictureFit
  /// Whether y grows upwards in drawings.
  package let isYUp: Bool

  package init(fit: PictureFit, isYUp: Bool) {
    self.fit = fit
    self.isYUp = isYUp
  }

  /// What each file, or each drawing in it, became or why not; in the order of the files.
  ///
  /// Cost: some milliseconds a picture, and no more memory than the images and, for each worker, one file in full.
  ///
  /// - Parameter progress: called from time to time with the number of files that are done.
  package func read(
    _ files: [PictureFolder.File], threads: Int, progress: (Int) -> Void = { _ in }
  ) -> [Result<PackedImage, FileError>] {
    let pool = WorkerPool(threads: threads)
    var all: [Result<PackedImage, FileError>] = []
    let batch = 64
    for start in stride(from: 0, to: files.count, by: batch) {
      let part = Array(files[start..<min(files.count, start + batch)])
      let results = UnsafeMutableBufferPointer<[Result<PackedImage, FileError>]>.allocate(
        capacity: part.count)
      results.initialize(repeating: [])
      // Each worker writes to its own item.
      pool.forEach(part.count) { _, item in results[item] = read(part[item]) }
      all += results.joined()
      results.deinitialize()
      results.deallocate()
      progress(start + part.count)
    }
    return all
  }

  private func read(_ file: PictureFolder.File) -> [Result<PackedImage, FileError>] {
    do throws(FileError) {
      let bytes = try FileReader(path: file.path).readAll()
      if file.holdsDrawings { return drawings(bytes, file) }
      return [.success(try picture(bytes, file))]
    } catch {
      return [.failure(error)]
    }
  }

  private func picture(_ bytes: [UInt8], _ file: PictureFolder.File) throws(FileError) -> PackedImage {
    let picture: Bitmap
    do throws(PictureError) { picture = try Bitmap(decoding: bytes) } catch {
      throw FileError(
        .malformed, path: file.path, expected: error.expected, found: error.found, remedy: error.remedy)
    }
    do throws(DrawingError) {
      return PackedImage(className: file.className ?? "", pixels: try fit.pixels(of: picture))
    } catch {
      throw FileError(
        .malformed, path: file.path, expected: "a picture with ink", found: "nothing but paper",
        remedy: "leave it out")
    }
  }

  private func drawings(_ bytes: [UInt8], _ file: PictureFolder.File) -> [Result<PackedImage, FileError>] {
    var results: [Result<PackedImage, FileError>] = []
    DrawingFile.forEachDrawing(in: bytes, isYUp: isYUp) { line, result in
      results.append(
        Result { () throws(FileError) in try image(of: result, line: line, file) })
    }
    return results
  }

  private func image(
    of result: Result<FiledDrawing, DrawingFileError>, line: Int, _ file: PictureFolder.File
  ) throws(FileError) -> PackedImage {
    func trouble(_ expected: String, _ found: String, _ remedy: String) -> FileError {
      FileError(
        .malformed, path: file.path, line: line, expected: expected, found: found, remedy: remedy)
    }
    let filed: FiledDrawing
    do throws(DrawingFileError) { filed = try result.get() } catch {
      throw FileError(
        .malformed, path: file.path, line: error.line, expected: error.expected, found: error.found,
        remedy: "mend it, or leave it out")
    }
    guard let name = file.className ?? filed.label else {
      throw trouble(
        "a drawing that says what it shows", "one without \"label\" or \"word\"",
        "add it, or put the file into a subfolder named after what it shows")
    }
    guard ClassNames.canHold(name) else {
      throw trouble("the name of a class", "\(name.quoted), which labels.txt cannot hold", "change the label")
    }
    do throws(DrawingError) {
      return PackedImage(className: name, pixels: try fit.pixels(of: filed.drawing))
    } catch {
      throw trouble("a drawing with ink", "no point", "leave it out")
    }
  }
}
