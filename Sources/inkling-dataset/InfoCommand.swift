import Arguments
import Datasets
import Foundation
import PlainText

enum InfoCommand {
  private static let json = Flag("json", help: "Print one JSON object instead of text.")

  static let command = Command(
    "inkling-dataset info",
    summary: "Counts the images of a data set by class, and finds those that are the same.",
    operands: Operands(
      "DIR", count: 1...1, help: "Folder with IDX files, raw or gzip, as inkling-train takes."),
    options: [json], examples: ["inkling-dataset info Data/mnist-5k"])

  static func run(_ arguments: ParsedArguments) throws {
    let path = arguments.operands[0]
    let inventory = try DatasetInventory(folder: path)
    print(arguments[json] ? try InventoryJSON(inventory).text : text(inventory, path))
  }

  private static func text(_ inventory: DatasetInventory, _ path: String) -> String {
    let parts = inventory.parts
    let shapes = parts.map { "\($0.data.shape)" }
    let size = Set(shapes).count == 1 ? shapes[0] : shapes.joined(separator: " and ")
    var table = TextTable([.left] + parts.map { _ in .right }, flexible: 0)
    table.add(["class"] + parts.map(\.part.rawValue))
    for (value, name) in zip(inventory.classes.values, inventory.classes.names) {
      let label = name == "\(value)" ? name : "\(value) = \(name)"
      table.add([label] + parts.map { $0.count(of: value).groupedDigits })
    }
    table.add(["all"] + parts.map { $0.data.count.groupedDigits })
    table.add(["mean"] + parts.map { $0.pixels.mean.fixed(4) })
    table.add(["standard deviation"] + parts.map { $0.pixels.deviation.fixed(4) })
    table.add(["repeated"] + parts.map { $0.repeatedCount.groupedDigits })
    var lines = [
      "\(path.singleLine): \(parts.reduce(0) { $0 + $1.data.count }.of("image")) of \(size) (channels, height, "
        + "width), \(inventory.classes.countInWords)", "", table.text, "",
    ]
    if parts.count == 2 {
      lines.append("test images that are in training as well: \(list(inventory.leaks))")
    }
    lines.append("images that are there under another label as well: \(list(inventory.contradictions))")
    return lines.joined(separator: "\n")
  }

  /// How many pairs there are, and the first few; images are counted from 0.
  private static func list(_ pairs: [(DatasetInventory.Place, DatasetInventory.Place)]) -> String {
    func words(_ place: DatasetInventory.Place) -> String {
      "\(place.part.rawValue) \(place.index) (label \(place.label))"
    }
    let count = pairs.count.groupedDigits
    if pairs.isEmpty { return count }
    let shown = pairs.prefix(2).map { "\(words($0)) = \(words($1))" }.joined(separator: ", ")
    return "\(count), \(pairs.count > 2 ? "such as " : "")\(shown)"
  }
}

extension ClassTable {
  /// "1 class", "10 classes".
  var countInWords: String { count == 1 ? "1 class" : "\(count.groupedDigits) classes" }
}

/// The same for programs.
private struct InventoryJSON: Encodable {
  private let classes: [Class]
  private let parts: [Part]
  private let testImagesInTraining: [[Int]]?
  private let contradictingImages: [[Place]]

  private struct Class: Encodable {
    let label: Int
    let name: String
  }

  private struct Part: Encodable {
    let part: String
    let imageCount: Int
    let channelCount: Int
    let heightPixels: Int
    let widthPixels: Int
    /// In the order of the classes.
    let classCounts: [Int]
    let mean: Double
    let standardDeviation: Double
    let repeatedImageCount: Int
  }

  private struct Place: Encodable {
    let part: String
    let index: Int
    let label: Int

    init(_ place: DatasetInventory.Place) {
      (part, index, label) = (place.part.rawValue, place.index, place.label)
    }
  }

  init(_ inventory: DatasetInventory) {
    let table = inventory.classes
    classes = zip(table.values, table.names).map { Class(label: $0, name: $1) }
    parts = inventory.parts.map { part in
      let shape = part.data.shape
      return Part(
        part: part.part.rawValue, imageCount: part.data.count, channelCount: shape.channels,
        heightPixels: shape.height, widthPixels: shape.width, classCounts: table.values.map(part.count),
        mean: part.pixels.mean, standardDeviation: part.pixels.deviation,
        repeatedImageCount: part.repeatedCount)
    }
    testImagesInTraining =
      inventory.parts.count == 2 ? inventory.leaks.map { [$0.test.index, $0.training.index] } : nil
    contradictingImages = inventory.contradictions.map { [Place($0.image), Place($0.other)] }
  }

  /// One line with sorted keys.
  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
