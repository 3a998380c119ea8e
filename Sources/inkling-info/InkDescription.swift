import Datasets
import Foundation
import HostInference
import PlainText

extension FileKind {
  static let ink = FileKind(
    name: "an .ink file", recognizes: { $0.starts(with: InkFormat.magicBytes) },
    describe: { path throws(FileError) in
      do throws(NetworkFileError) {
        return FileDescription(try Network(contentsOf: URL(fileURLWithPath: path)))
      } catch {
        throw FileError(
          .malformed, path: path, expected: "a sound .ink file", found: "\(error)",
          remedy: "export the model again")
      }
    })
}

extension FileDescription {
  init(_ network: Network) {
    self.init(kind: ".ink network")
    let layout = network.layout
    add("version", .count(Int(InkFormat.version)), "format", "version \(InkFormat.version)")
    add(
      "byteCount", .count(network.byteCount), "file",
      "\(network.byteCount.groupedDigits) bytes, CRC-32 \(layout.checksum.fixedHexadecimal), right")
    add("checksum", .text(layout.checksum.fixedHexadecimal))
    add("alignment", .count(layout.alignment), "alignment", layout.alignment.of("byte"))
    let extent = network.input.extent
    let extents = [extent.channels, extent.height, extent.width]
    add(
      "input", .list(extents.map(FactValue.count)), "input",
      "\(extents.map(String.init).joined(separator: "×")) (channels, height, width)")
    let input = network.input
    add(
      "pixelScale", .number(Double(input.scale)), "pixels",
      "0 to 255, \(input.isInkHigh ? "ink" : "paper") high, times \(input.scale.threeDigits)"
        + (input.offset == 0 ? "" : " plus \(input.offset.threeDigits)"))
    addClasses(names: network.labels, values: (0..<network.classCount).map(network.labelValue))
    add(
      "takesNormalizedInk", .flag(network.takesNormalizedInk), "pictures",
      network.takesNormalizedInk ? "made into ink as MNIST's, then given to the network" : "resized")
    if network.refusalThreshold > 0 {
      add(
        "refusalThreshold", .number(Double(network.refusalThreshold)), "no class",
        "below a probability of \((100 * Double(network.refusalThreshold)).fixed(1))%")
    }
    add(
      "scratchByteCount", .count(layout.plainScratchByteCount), "memory",
      "\(layout.plainScratchByteCount.groupedDigits) bytes of scratch for the plain loops")
    for pair in network.metadata { addLine(pair.key.cut(to: 20), pair.value) }
    add(
      "metadata",
      .object(Dictionary(network.metadata.map { ($0.key, .text($0.value)) }) { first, _ in first }))
    add("operations", .list(layout.operations.map(Self.operation)))
    var table = TextTable([.right, .left, .left, .left, .right], flexible: 1)
    table.add(["", "operation", "output", "weights", "bytes"])
    for (index, operation) in layout.operations.enumerated() {
      table.add([
        "\(index + 1)", operation.name, Self.text(operation.output), operation.weights ?? "",
        operation.byteCount == 0 ? "" : operation.byteCount.groupedDigits,
      ])
    }
    self.table = table.text
  }

  private static func text(_ extent: Extent3) -> String {
    extent.planeCount == 1 ? "\(extent.channels)" : "\(extent.channels)×\(extent.height)×\(extent.width)"
  }

  private static func operation(_ operation: Network.Layout.Entry) -> FactValue {
    .object([
      "operation": .text(operation.name),
      "output": .list(
        [operation.output.channels, operation.output.height, operation.output.width].map(FactValue.count)),
      "weights": operation.weights.map(FactValue.text) ?? .none, "byteCount": .count(operation.byteCount),
    ])
  }
}

extension UInt32 {
  fileprivate var fixedHexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
