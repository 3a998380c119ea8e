#if INKLING_KERNELS
  extension Network {
    /// What a file holds, for people to see.
    package struct Layout {
      package struct Entry {
        /// With the activation, if there is one: "conv 3x3 32, relu".
        package let name: String
        package let output: Extent3
        /// How the weights are stored; nil for an operation without any.
        package let weights: String?
        /// The bytes of the weights.
        package let byteCount: Int
      }

      package let checksum: UInt32
      package let alignment: Int
      package let plainScratchByteCount: Int
      package let operations: [Entry]
    }

    package var layout: Layout {
      var entries: [Layout.Entry] = []
      if var walk = try? Walk(bytes: bytes, operations: operations, tensors: tensors, input: input) {
        while let step = (try? walk.next()) ?? nil { entries.append(entry(step)) }
      }
      return Layout(
        checksum: bytes.word(at: bytes.count - InkFormat.checksumByteCount), alignment: Int(bytes[5]),
        plainScratchByteCount: memory.byteCount, operations: entries)
    }

    private func entry(_ step: Step) -> Layout.Entry {
      var (name, index, isInteger, activation) = (
        step.operation.name, Int?.none, false, Operation.Activation.none
      )
      switch step.operation {
      case .convolution(let convolution):
        (index, isInteger, activation) = (
          convolution.weights, convolution.integers != nil, convolution.activation
        )
      case .dense(let dense):
        (index, isInteger, activation) = (dense.weights, dense.integers != nil, dense.activation)
      default: break
      }
      switch activation {
      case .none: break
      case .rectifier: name += ", relu"
      case .leaky: name += ", leaky relu"
      }
      let weights = index.map(tensor)
      return Layout.Entry(
        name: name, output: step.output,
        weights: weights.map { "\($0.type)" + (isInteger ? ", whole numbers" : "") },
        byteCount: weights.flatMap { $0.type.byteCount(rows: $0.rows, columns: $0.columns) } ?? 0)
    }
  }
#endif
