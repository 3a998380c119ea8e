import Foundation
import Tensors
import Testing

@testable import Training

/// A network, how it is trained, and what PyTorch makes of it in float64; Scripts/make-golden.py says more.
struct GoldenCase: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  /// [C, H, W].
  let input: [Int]
  let layers: String
  let images: Int
  let batchSize: Int
  let rule: NamedSettings
  let weightDecay: Float
  let gradientClip: Float?
  let schedule: NamedSettings
  let learningRate: Float
  let warmUpEpochs: Float
  let labelSmoothing: Float
  let classWeights: [Float]?
  let seed: UInt32
  /// The loss of each step, before it was taken.
  let losses: [Double]
  /// The model's flat buffer after the last step.
  let values: [Double]
  /// [images, classes] in evaluation mode, after the last step.
  let logits: [Double]

  /// A name and numbers in one list, such as `["adam", 0.9, 0.999, 1e-8]`.
  struct NamedSettings: Decodable {
    let name: String
    let numbers: [Float]

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      name = try list.decode(String.self)
      var numbers: [Float] = []
      while !list.isAtEnd { numbers.append(try list.decode(Float.self)) }
      self.numbers = numbers
    }
  }

  static func all() throws -> [GoldenCase] {
    let url = try #require(Bundle.module.url(forResource: "networks", withExtension: "json"))
    return try JSONDecoder().decode([GoldenCase].self, from: Data(contentsOf: url))
  }

  var testDescription: String { name }
}

extension GoldenCase {
  var architecture: Architecture {
    get throws {
      try Architecture(
        input: ImageShape(channels: input[0], height: input[1], width: input[2]), parsing: layers)
    }
  }

  var optimizer: OptimizerSettings {
    get throws {
      let numbers = rule.numbers
      let known: OptimizerRule? =
        switch rule.name {
        case "sgd": .sgd(momentum: numbers[0], nesterov: false)
        case "nesterov": .sgd(momentum: numbers[0], nesterov: true)
        case "adam": .adam(beta1: numbers[0], beta2: numbers[1], epsilon: numbers[2])
        case "adamW": .adamW(beta1: numbers[0], beta2: numbers[1], epsilon: numbers[2])
        default: nil
        }
      return OptimizerSettings(
        rule: try #require(known), weightDecay: weightDecay, gradientClip: gradientClip)
    }
  }

  /// The learning rate of a step, from 0; `losses` says how many steps the run has.
  func rate(step: Int) throws -> Float {
    let known: Schedule.Shape? =
      switch schedule.name {
      case "constant": .constant
      case "step": .step(epochs: Int(schedule.numbers[0]), factor: schedule.numbers[1])
      case "cosine": .cosine
      case "oneCycle": .oneCycle
      default: nil
      }
    let stepsPerEpoch = (images + batchSize - 1) / batchSize
    return Schedule(try #require(known), learningRate: learningRate, warmUpEpochs: warmUpEpochs).rate(
      step: step, stepsPerEpoch: stepsPerEpoch, epochs: (losses.count + stepsPerEpoch - 1) / stepsPerEpoch)
  }

  /// The images of a step; the last batch of an epoch may be short.
  func members(step: Int) -> Range<Int> {
    let start = step * batchSize % ((images + batchSize - 1) / batchSize * batchSize)
    return start..<min(start + batchSize, images)
  }

  /// The model before the first step.
  var start: Model {
    get throws {
      let architecture = try architecture
      var values: [Float] = []
      for slot in ParameterTable(architecture).slots {
        values += slot.range.map { spread(noise(stream: 3 * seed, $0), over: slot) }
      }
      return Model(architecture: architecture, values: values)
    }
  }

  private func spread(_ noise: Float, over slot: ParameterTable.Slot) -> Float {
    switch slot.name {
    case "weight":
      // The largest power of two that keeps the variance within 2 / fan-in, as for ReLU.
      let fanIn = Float(slot.range.count / slot.shape[0])
      var size: Float = 4
      while size * size * fanIn > 24 { size /= 2 }
      return size * noise
    case "scale", "runningVariance": return noise / 2 + 1
    default: return noise / 2
    }
  }

  /// Value number `index` of all the images, [images, C, H, W], in 0..<1.
  func pixel(_ index: Int) -> Float { noise(stream: 3 * seed + 1, index) + 0.5 }

  func label(ofImage image: Int, classes: Int) -> UInt16 {
    UInt16((noise(stream: 3 * seed + 2, image) + 0.5) * Float(classes))
  }

  /// A multiple of 2⁻¹⁶ from -1/2 to below 1/2: the same numbers as the script's.
  private func noise(stream: UInt32, _ index: Int) -> Float {
    var bits = stream &* 0x10001 &+ UInt32(index) &+ 1
    for _ in 0..<3 { bits = (bits ^ bits >> 15) &* 0x9E37_79B1 }
    return Float(bits >> 16) / 65536 - 0.5
  }
}
