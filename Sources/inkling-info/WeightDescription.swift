import Datasets
import Interchange
import PlainText

extension FileKind {
  static let weights = FileKind(
    name: "weights as safetensors or .npz", recognizes: { (try? WeightFile.isWeightFile($0.path)) == true },
    describe: { path throws(FileError) in FileDescription(try WeightFile(contentsOf: path)) })
}

extension FileDescription {
  init(_ file: WeightFile) {
    self.init(kind: "weights")
    let count = file.arrays.reduce(0) { $0 + $1.values.count }
    add(
      "parameterCount", .count(count), "numbers", "\(count.groupedDigits) in \(file.arrays.count.of("array"))"
    )
    for (key, value) in file.metadata.sorted(by: { $0.key < $1.key }).prefix(40) {
      addLine(key.cut(to: 20), value.cut(to: 200))
    }
    add("metadata", .object(file.metadata.mapValues(FactValue.text)))
    add("arrays", .list(file.arrays.map(Self.array)))
    add("skipped", .list(file.skipped.map(FactValue.text)))
    if !file.skipped.isEmpty { addLines("whole numbers", file.skipped) }
    var table = TextTable([.right, .left, .left, .right], flexible: 1)
    table.add(["", "array", "shape", "numbers"])
    for (index, array) in file.arrays.enumerated() {
      let shape = array.shape.map(String.init).joined(separator: "×")
      table.add(["\(index + 1)", array.name, shape, array.values.count.groupedDigits])
    }
    self.table = table.text
  }

  private static func array(_ array: WeightFile.NamedArray) -> FactValue {
    .object(["name": .text(array.name), "shape": .list(array.shape.map(FactValue.count))])
  }
}
