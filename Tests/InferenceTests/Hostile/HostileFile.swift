@testable import Inference

/// What came of a file that nobody vouches for.
enum HostileFile: Hashable {
  case refused(InkError.Reason)
  /// A sound network that would take longer, or more memory, than a test has.
  case tooLarge
  case predicted

  private static let mostSteps = 1 << 20
  private static let mostByteCount = 1 << 27

  /// Reads a file and, if it is one, predicts by the plain loops and by the kernels of the set of that number, each
  /// with exactly the memory that it asks for.
  init(_ file: UnsafeRawBufferPointer, kernelSet: Int) {
    do throws(InkError) {
      let network = try Network(file)
      guard network.cost <= Self.mostSteps, network.scratchByteCount <= Self.mostByteCount else {
        self = .tooLarge
        return
      }
      // All that can be asked of it.
      for index in [0, network.classCount - 1] { _ = (network.labelBytes(index), network.labelValue(index)) }
      network.forEachLabel { _ in }
      network.forEachMetadata { _, _ in }
      let plain = Self.probabilities(network)
      let sets = Network.kernelSets
      let prepared = network.preparedForHost(kernels: sets[kernelSet % sets.count])
      guard prepared.batchScratchByteCount(3) <= Self.mostByteCount else {
        self = .tooLarge
        return
      }
      let fast = Self.probabilities(prepared)
      if network.isWhole {
        precondition(zip(plain, fast).allSatisfy { $0 == $1 || $0 != $0 && $1 != $1 }, "\(plain) \(fast)")
      }
      self = .predicted
    } catch {
      self = .refused(error.reason)
    }
  }

  /// Of one image; and the same image three times is tried, too.
  private static func probabilities(_ network: Network) -> [Float] {
    let count = network.input.extent.count
    let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * count)
    for index in 0..<3 * count { pixels[index] = UInt8(truncatingIfNeeded: index % count &* 37) }
    let probabilities = UnsafeMutablePointer<Float>.allocate(capacity: 3 * network.classCount)
    var scratch = UnsafeMutableRawPointer.allocate(
      byteCount: network.batchScratchByteCount(3), alignment: 64)
    network.predict(pixels, count: 3, scratch: scratch, probabilities: probabilities)
    scratch.deallocate()
    scratch = .allocate(byteCount: network.scratchByteCount, alignment: 64)
    let best = network.predict(pixels, scratch: scratch, probabilities: probabilities)
    precondition(best >= 0 && best < network.classCount)
    let result = Array(UnsafeBufferPointer(start: probabilities, count: network.classCount))
    pixels.deallocate()
    scratch.deallocate()
    probabilities.deallocate()
    return result
  }
}

extension Network {
  private var steps: [Step] {
    var steps: [Step] = []
    let walk = try? Walk(bytes: bytes, operations: operations, tensors: tensors, input: input)
    guard var walk else { return [] }
    while let step = (try? walk.next()) ?? nil { steps.append(step) }
    return steps
  }

  /// Whether all sums are of whole numbers, so that kernels give the same bits as the plain loops.
  fileprivate var isWhole: Bool {
    steps.allSatisfy {
      switch $0.operation {
      case .convolution(let convolution): convolution.integers != nil
      case .dense(let dense): dense.integers != nil
      default: true
      }
    }
  }

  /// Products and other steps of a prediction, and values that are laid out before the first one, roughly.
  fileprivate var cost: Int {
    steps.reduce(0) { sum, step in
      let perOutput: Int
      var laidOut = 0
      switch step.operation {
      case .convolution(let convolution):
        perOutput = tensor(convolution.weights).columns
        // The kernels work on an image with its frame.
        let height = step.input.height + convolution.top + convolution.bottom
        laidOut = 4 * height * (step.input.width + convolution.left + convolution.right) * step.input.channels
      case .dense: perOutput = max(32, step.input.count)
      case .maximumPool(let window), .averagePool(let window): perOutput = window.height * window.width
      case .globalAveragePool: perOutput = step.input.planeCount
      case .flatten, .softmax, .activation, .affine: perOutput = 4
      }
      return sum + step.output.count * perOutput + laidOut
    }
  }
}
