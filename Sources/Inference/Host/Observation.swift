#if INKLING_KERNELS
  extension Network {
    /// Predicts, and calls `body` with the values that follow each convolution and dense layer, and each maximum-pool
    /// behind one, with the number of that layer's operation: what calibration goes by.
    ///
    /// A rectifier in front of a maximum-pool is applied behind it; before it there may be values below 0.
    ///
    /// - Precondition: the network is prepared, and computes with floats.
    package func observe(
      _ pixels: UnsafePointer<UInt8>, scratch: UnsafeMutableRawPointer,
      probabilities: UnsafeMutablePointer<Float>,
      _ body: (_ operation: Int, _ values: UnsafeBufferPointer<Float>) -> Void
    ) {
      guard let prepared else { preconditionFailure("only a prepared network is observed") }
      withoutActuallyEscaping(body) { body in
        _ = prepared.predict(pixels, scratch: scratch, probabilities: probabilities) { stage, values in
          let origin = prepared.origins[stage]
          guard prepared.stages[stage].isObserved else { return }
          let floats = values.assumingMemoryBound(to: Float.self)
          body(origin.operation, UnsafeBufferPointer(start: floats, count: origin.count))
        }
      }
    }

    /// What a prepared network does, in order: the name and the multiply-adds of each stage.
    package var stages: [(name: String, multiplyAdds: Int)] {
      prepared.map { prepared in prepared.stages.map { ($0.name, $0.multiplyAdds) } } ?? []
    }

    /// Predicts, and calls `body` with the number of each stage when it is done: where the time goes.
    package func predict(
      _ pixels: UnsafePointer<UInt8>, scratch: UnsafeMutableRawPointer,
      probabilities: UnsafeMutablePointer<Float>,
      afterStage body: @escaping (_ stage: Int) -> Void
    ) {
      _ = prepared?.predict(pixels, scratch: scratch, probabilities: probabilities) { stage, _ in body(stage)
      }
    }
  }

  extension StageList.Stage {
    var name: String {
      switch self {
      case .convolution(let convolution): convolution.name
      case .winograd(let convolution, _): convolution.name
      case .dense(let dense): "dense \(dense.outputs)"
      case .maximumPool(let window, _, _): "max-pool \(window.height)x\(window.width)"
      case .plain(let step): "\(step.operation.name) (plain)"
      case .conversion: "pixels to floats"
      case .integers(let integers): integers.name
      case .bytePool(let window, _): "max-pool \(window.height)x\(window.width)"
      case .planar: "bytes by planes"
      }
    }

    var multiplyAdds: Int {
      switch self {
      case .convolution(let convolution): convolution.multiplyAdds
      case .winograd(let convolution, _): convolution.multiplyAdds
      case .dense(let dense): dense.multiplyAdds
      case .plain(let step): step.multiplyAdds
      case .integers(let integers): integers.multiplyAdds
      case .maximumPool, .bytePool, .planar, .conversion: 0
      }
    }
  }

  extension Step {
    /// Multiply-adds of a convolution or dense layer.
    var multiplyAdds: Int {
      switch operation {
      case .convolution(let convolution):
        output.count * (input.channels / convolution.groups) * convolution.window.height
          * convolution.window.width
      case .dense(let dense): dense.outputs * input.count
      default: 0
      }
    }
  }

  extension Operation {
    var name: String {
      switch self {
      case .convolution(let convolution):
        "conv \(convolution.window.height)x\(convolution.window.width) \(convolution.filters)"
      case .dense(let dense): "dense \(dense.outputs)"
      case .maximumPool: "max-pool"
      case .averagePool: "average-pool"
      case .globalAveragePool: "global average-pool"
      case .flatten: "flatten"
      case .softmax: "softmax"
      case .activation: "activation"
      case .affine: "affine"
      }
    }
  }
#endif
