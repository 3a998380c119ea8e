@testable import Inference

/// What came of a file that nobody vouches for.
enum HostileFile: Hashable {
  case refused(InkError.Reason)
  /// A sound network that would take longer, or more memory, than a test has.
  case tooLarge
  case predicted

  private static let mostProducts = 1 << 20
  private static let mostByteCount = 1 << 26

  /// Reads a file and, if it is one, predicts by the plain loops and by the kernels of the set of that number, each
  /// with exactly the memory that it asks for.
  init(_ file: UnsafeRawBufferPointer, kernelSet: Int) {
    do throws(InkError) {
      let network = try Network(file)
      guard network.cost <= Self.mostProducts, network.scratchByteCount <= Self.mostByteCount else {
        self = .tooLarge
        return
      }
      // All that can be asked of it.
      for index in [0, network.classCount - 1] { _ = (network.labelBytes(index), network.labelValue(index)) }
      network.forEachMetadata { _, _ in }
      Self.predict(network)
      let sets = Network.kernelSets
      Self.predict(network.preparedForHost(kernels: sets[kernelSet % sets.count]))
      self = .predicted
    } catch {
      self = .refused(error.reason)
    }
  }

  private static func predict(_ network: Network) {
    guard network.scratchByteCount <= mostByteCount else { return }
    let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: network.input.extent.count)
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: network.scratchByteCount, alignment: 64)
    let probabilities = UnsafeMutablePointer<Float>.allocate(capacity: network.classCount)
    for index in 0..<network.input.extent.count { pixels[index] = UInt8(truncatingIfNeeded: index &* 37) }
    let best = network.predict(pixels, scratch: scratch, probabilities: probabilities)
    precondition(best >= 0 && best < network.classCount)
    pixels.deallocate()
    scratch.deallocate()
    probabilities.deallocate()
  }
}

extension Network {
  /// Products and other steps of a prediction, and values that are laid out before the first one, roughly.
  fileprivate var cost: Int {
    var sum = 0
    guard var walk = try? Walk(bytes: bytes, operations: operations, tensors: tensors, input: input) else {
      return 0
    }
    while let step = (try? walk.next()) ?? nil {
      let perOutput: Int
      switch step.operation {
      case .convolution(let convolution):
        perOutput = tensor(convolution.weights).columns
        // The kernels work on an image with its frame.
        let (height, width) = (
          step.input.height + convolution.top + convolution.bottom,
          step.input.width + convolution.left + convolution.right
        )
        sum += 4 * height * width * step.input.channels
      case .dense: perOutput = max(32, step.input.count)
      case .maximumPool(let window), .averagePool(let window): perOutput = window.height * window.width
      case .globalAveragePool: perOutput = step.input.planeCount
      case .flatten, .softmax, .activation, .affine: perOutput = 4
      }
      sum += step.output.count * perOutput
    }
    return sum
  }
}
