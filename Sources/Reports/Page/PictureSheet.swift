import Charts
import Datasets
import Foundation
import Images
import PlainText
import Training

/// Pictures of a data set as one PNG, side by side, with what a model says of each.
struct PictureSheet {
  /// The sheet's first picture lies at slot 0, in the upper left corner.
  private let images: [Int]
  private let slotOfImage: [Int: Int]
  private let predictions: Predictions
  private let data: Dataset
  /// The slots of a matrix cell's images, by its name.
  private let cells: [String: [Int]]

  private static let columns = 40

  /// - Parameters:
  ///   - cells: the images of each cell of the confusion matrix, by the cell's name.
  ///   - others: further images to have on the sheet.
  init(data: Dataset, predictions: Predictions, cells: [String: [Int]], others: [Int]) {
    let images = Set(cells.values.joined()).union(others).sorted()
    let slots = Dictionary(uniqueKeysWithValues: images.enumerated().map { ($1, $0) })
    self.images = images
    self.predictions = predictions
    self.data = data
    self.cells = cells.mapValues { $0.compactMap { slots[$0] } }
    slotOfImage = slots
  }

  func slots(of images: [Int]) -> [Int] { images.compactMap { slotOfImage[$0] } }

  /// The PNG as a URL that holds all of its bytes.
  var dataURL: String {
    let first = Bitmap(thumbnailOf: images.first ?? 0, of: data)
    let rows = (images.count + Self.columns - 1) / Self.columns
    var sheet = Bitmap(
      width: Self.columns * first.width, height: max(1, rows) * first.height, channels: first.channels)
    for (slot, image) in images.enumerated() {
      let (row, column) = slot.quotientAndRemainder(dividingBy: Self.columns)
      sheet.draw(
        Bitmap(thumbnailOf: image, of: data), x: column * first.width, y: row * first.height)
    }
    return sheet.pngURL
  }

  /// What the page's script reads: names, the sheet's measures, the pictures and the cells.
  var json: String {
    let picture = Bitmap(thumbnailOf: images.first ?? 0, of: data)
    let content = Content(
      names: data.classes.names.map(\.showable), columns: Self.columns, width: picture.width,
      height: picture.height,
      pictures: images.map(entry), cells: cells)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(content) else {
      preconditionFailure("names and finite numbers are always JSON")
    }
    // "</script>" in a class name would end the script that holds the JSON.
    return String(decoding: bytes, as: UTF8.self).replacing("<", with: "\\u003c")
  }

  private struct Content: Encodable {
    var names: [String]
    var columns: Int
    /// Of one picture, in pixels of the PNG.
    var width: Int
    var height: Int
    var pictures: [Entry]
    var cells: [String: [Int]]
  }

  private struct Entry: Encodable {
    var image: Int
    var truth: Int
    var prediction: Int
    /// Pairs of a class and its probability: the most probable first, and the truth in any case.
    var guesses: [[Double]]
  }

  private func entry(of image: Int) -> Entry {
    let prediction = predictions.prediction(of: image)
    let truth = Int(predictions.truths[image])
    let ranked = Array(predictions.row(of: image)).enumerated().sorted {
      ($1.element, $0.offset) < ($0.element, $1.offset)
    }
    let best = ranked.prefix(3)
    let guesses =
      best.contains { $0.offset == truth } ? Array(best) : best + ranked.filter { $0.offset == truth }
    return Entry(
      image: image, truth: truth, prediction: prediction.label,
      guesses: guesses.map { [Double($0.offset), (Double($0.element) * 1e5).rounded() / 1e5] })
  }
}
