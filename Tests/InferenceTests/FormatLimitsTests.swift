import HostInference
import SampleNetworks
import Testing

@testable import Inference
@testable import Training

/// Files that say more than a reader should believe, and what is between the lines of the format.
struct FormatLimitsTests {
  private typealias Window = Operation.Window

  private func lowered(
    width: Int, _ operations: [Operation], _ tensors: [LoweredNetwork.Matrix] = [], scale: Float = 1,
    labels: Int = 1
  ) -> LoweredNetwork {
    LoweredNetwork(
      input: .init(extent: Extent3(channels: 1, height: width, width: width), scale: scale),
      operations: operations, tensors: tensors, labels: (0..<labels).map { "class \($0)" },
      labelValues: Array(0..<labels))
  }

  private func matrix(_ rows: Int, _ columns: Int, _ value: Float = 1) -> LoweredNetwork.Matrix {
    .init(
      rows: rows, columns: columns, values: .init(repeating: value, count: rows * columns), isWeight: true)
  }

  private func convolution(_ window: Int, padding: Int) -> Operation {
    .convolution(
      .init(
        activation: .none, filters: 1, window: Window(height: window, width: window, down: 1, across: 1),
        padding: (padding, padding, padding, padding), groups: 1, weights: 0, bias: InkFormat.noTensor))
  }

  /// 784 channels of one pixel each in a frame of 255 zeros: 205 million values from a file of 3 kB. With a window of
  /// 255 × 255 over 2^24 channels the number of weights would not even fit 32 bits.
  @Test func framesCountAsPartOfTheImage() {
    let wide = lowered(
      width: 28, [.flatten, convolution(1, padding: 255), .globalAveragePool], [matrix(1, 784)]
    ).ink()
    #expect(throws: InkError.self) { try Network(copying: wide) }
    let huge = lowered(width: 4096, [.flatten, convolution(255, padding: 255)], [matrix(1, 1)]).ink()
    #expect(throws: InkError.self) { try Network(copying: huge) }
  }

  /// 10,000 layers that share a matrix of 4 kB.
  @Test func sharedWeightsAreNotLaidOutManyTimes() throws {
    let dense = Operation.dense(.init(activation: .none, outputs: 31, weights: 0, bias: InkFormat.noTensor))
    let first = Operation.maximumPool(Window(height: 1, width: 31, down: 1, across: 1))
    let file = LoweredNetwork(
      input: .init(extent: Extent3(channels: 31, height: 1, width: 31), scale: 1),
      operations: [first] + [Operation](repeating: dense, count: 10_000), tensors: [matrix(31, 31, 0.01)],
      labels: (0..<31).map { "\($0)" }, labelValues: Array(0..<31)
    ).ink()
    let network = try Network(copying: file).preparedForHost()
    #expect(network.preparedByteCount < 64 * file.count + (1 << 20))
    #expect(try network.predict([UInt8](repeating: 0, count: 961)).probabilities.allSatisfy { $0 == 0 })
  }

  /// The largest pixel has the smallest value here.
  @Test func poolsHeedANegativeScale() throws {
    let pool = Operation.maximumPool(Window(height: 2, width: 2, down: 1, across: 1))
    let dense = Operation.dense(.init(activation: .none, outputs: 1, weights: 0, bias: InkFormat.noTensor))
    let network = try Network(copying: lowered(width: 2, [pool, dense], [matrix(1, 1)], scale: -1).ink())
    for network in [network, network.preparedForHost()] {
      #expect(try network.predict([9, 3, 5, 7]).probabilities == [-3])
    }
  }

  /// Pools of many places, and pools behind a flatten, where a channel is a single value.
  @Test(arguments: [17, 1]) func poolsOfWholeNumbersGiveTheSameBits(window: Int) throws {
    let pool = Operation.maximumPool(Window(height: window, width: window, down: 1, across: 1))
    let integers = Operation.IntegerScales(input: 1, output: 4)
    let convolution = Operation.convolution(
      .init(
        activation: .rectifier, integers: integers, filters: 2,
        window: Window(height: 1, width: 1, down: 1, across: 1), padding: (0, 0, 0, 0), groups: 1, weights: 0,
        bias: InkFormat.noTensor))
    let outputs = window == 17 ? 8 : 648
    let dense = Operation.dense(
      .init(
        activation: .none, integers: .init(input: 4, output: 0), outputs: 3, weights: 1,
        bias: InkFormat.noTensor))
    let operations = [convolution] + (window == 1 ? [.flatten] : []) + [pool, dense]
    var network = lowered(
      width: 18, operations, [matrix(2, 1, 0.5), matrix(3, outputs, 0.25)], labels: 3)
    for index in 0..<3 * outputs { network.tensors[1].values[index] = Float(index % 7) / 8 }
    let plain = try Network(copying: network.ink(.int8))
    let pixels = (0..<324).map { UInt8($0 * 31 % 251) }
    for set in Network.kernelSets {
      let fast = try plain.preparedForHost(kernels: set).predict(pixels)
      #expect(try plain.predict(pixels) == fast, "\(set)")
    }
  }

  @Test(arguments: TensorType.allCases) func biasesAreFloats(type: TensorType) {
    let dense = Operation.dense(.init(activation: .none, outputs: 1, weights: 0, bias: 1))
    let network = lowered(width: 1, [dense], [matrix(1, 1), matrix(1, 1)])
    let bytes = InkWriter(network, tensors: network.tensors.map { QuantizedMatrix($0, as: type) }).bytes
    let isRead = (try? Network(copying: bytes)) != nil
    #expect(isRead == (type == .float32 || type == .float16))
  }

  /// Metadata that are too long end before the character that has no room.
  @Test func textIsCutBetweenCharacters() throws {
    let network = lowered(width: 1, [.init(denseOf: 0)], [matrix(1, 1)])
    let bytes = InkWriter(
      network, tensors: network.tensors.map { QuantizedMatrix($0, as: .float32) },
      metadata: [(String(repeating: "é", count: 128), String(repeating: "三", count: 30_000))]
    ).bytes
    let pairs: [(key: String, value: String)] = try Network(copying: bytes).metadata
    #expect(pairs.map(\.key) == [String(repeating: "é", count: 127)])
    #expect(pairs.map(\.value) == [String(repeating: "三", count: 21_845)])
  }

  @Test func unknownSectionsAreSkippedUnlessCapital() throws {
    for (tag, isRead) in [("temp", true), ("xXXX", true), ("TEMP", false), ("Xxxx", false)] {
      var parts = InkParts(GoldenNetwork.all[0].bytes)
      let word = Array(tag.utf8).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      parts.sections.insert((word, [1, 2, 3]), at: 1)
      #expect(((try? Network(copying: parts.bytes)) != nil) == isRead, "\(tag)")
    }
  }

  /// Bytes of the sections `refu` and `norm` that mean nothing.
  @Test(
    arguments: [
      ("refu", [0, 0, 0, 0x3F], true), ("refu", [0, 0, 0x80, 0x3F], true), ("refu", [0, 0, 0, 0], true),
      ("refu", [1, 0, 0x80, 0x3F], false), ("refu", [0, 0, 0, 0xBF], false),
      ("refu", [0, 0, 0xC0, 0x7F], false),
      ("refu", [0, 0, 0], false), ("refu", [], false), ("refu", [0, 0, 0, 0x3F, 0], false),
      ("norm", [1], true),
      ("norm", [0], false), ("norm", [2], false), ("norm", [], false), ("norm", [1, 0], false),
    ] as [(String, [UInt8], Bool)])
  func refusalAndNormalizationAreChecked(tag: String, content: [UInt8], isRead: Bool) throws {
    var parts = InkParts(GoldenNetwork.all[0].bytes)
    let word = Array(tag.utf8).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    parts.sections.insert((word, content), at: 1)
    #expect(((try? Network(copying: parts.bytes)) != nil) == isRead)
  }

  @Test func manyLabelsAreFoundInOnePass() throws {
    let dense = Operation.dense(
      .init(activation: .none, outputs: 20_000, weights: 0, bias: InkFormat.noTensor))
    let network = try Network(
      copying: lowered(width: 1, [dense], [matrix(20_000, 1)], labels: 20_000).ink())
    #expect(network.labels.count == 20_000 && network.labels[19_999] == "class 19999")
  }
}

extension Operation {
  fileprivate init(denseOf weights: Int) {
    self = .dense(.init(activation: .none, outputs: 1, weights: weights, bias: InkFormat.noTensor))
  }
}
