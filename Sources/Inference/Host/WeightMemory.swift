#if INKLING_KERNELS
  import Kernels

  /// One allocation for all that the kernels of one instruction set read of a network's weights.
  final class WeightMemory {
    let network: Network
    let kernels: InklingKernels
    let byteCount: Int
    private let memory: UnsafeMutableRawPointer
    /// Bytes that are taken.
    private var used = 0

    /// The most bytes that the weights of a file of so many bytes may take. Only where operations share tensors, as
    /// trained networks' do not, would it be more: then a short file could claim any amount of memory.
    static func mostByteCount(fileByteCount: Int) -> Int { 64 * fileByteCount + (1 << 20) }

    /// Nil if the weights would take more than `mostByteCount`.
    init?(_ steps: [Step], of network: Network, for kernels: InklingKernels) {
      let byteCount = steps.reduce(64) { $0 + Self.byteCount($1, network, kernels) }
      guard byteCount <= Self.mostByteCount(fileByteCount: network.byteCount) else { return nil }
      self.network = network
      self.kernels = kernels
      self.byteCount = byteCount
      memory = .allocate(byteCount: byteCount, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// The bytes that an operation takes at most, with what alignment may leave empty.
    private static func byteCount(_ step: Step, _ network: Network, _ kernels: InklingKernels) -> Int {
      switch step.operation {
      case .convolution(let convolution) where convolution.integers != nil:
        256
          + PreparedIntegers.byteCount(
            network.tensor(convolution.weights), rows: convolution.window.height, lanes: Int(kernels.lanes))
      case .convolution(let convolution):
        256
          + (PreparedWinograd.suits(convolution, step)
            ? PreparedWinograd.byteCount(convolution, step)
            : PreparedConvolution.byteCount(convolution, step))
      case .dense(let dense) where dense.integers != nil:
        256 + PreparedIntegers.byteCount(network.tensor(dense.weights), rows: 1, lanes: Int(kernels.lanes))
      case .dense(let dense):
        256 + PreparedDense.byteCount(dense, network.tensor(dense.weights).type, inputs: step.input.count)
      default: 0
      }
    }

    /// Takes memory, aligned to 64 bytes.
    func take<Value>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
      let start = (used + 63) & ~63
      used = start + count * MemoryLayout<Value>.stride
      precondition(used <= byteCount, "more was taken than was counted")
      return (memory + start).bindMemory(to: type, capacity: count)
    }
  }
#endif
