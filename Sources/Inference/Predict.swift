extension Network {
  /// Classifies one image.
  ///
  /// - Parameters:
  ///   - pixels: channels × height × width bytes.
  ///   - scratch: `scratchByteCount` bytes, aligned to 16, of this call alone.
  ///   - probabilities: `classCount` values that are written, together 1.
  /// - Returns: the index of the most probable class; of several the first.
  ///
  /// Before `prepare()` the loops are plain Swift and the same everywhere: what the kernels are held against. It
  /// allocates nothing.
  public func predict(
    _ pixels: UnsafePointer<UInt8>, scratch: UnsafeMutableRawPointer,
    probabilities: UnsafeMutablePointer<Float>
  ) -> Int {
    #if INKLING_KERNELS
      if let prepared { return prepared.predict(pixels, scratch: scratch, probabilities: probabilities) }
    #endif
    let (first, second) = (scratch, scratch + memory.first)
    let block = second + memory.second
    var current = UnsafeMutableRawPointer(mutating: pixels)
    var isFirst = false
    var storage = Storage.pixels
    func next() -> UnsafeMutableRawPointer {
      isFirst.toggle()
      return isFirst ? first : second
    }
    // Both fail for no file that was checked.
    guard var walk = try? Walk(bytes: bytes, operations: operations, tensors: tensors, input: input) else {
      return 0
    }
    while let step = (try? walk.next()) ?? nil {
      if walk.converted {
        let floats = next().assumingMemoryBound(to: Float.self)
        convert(current, storage, count: step.input.count, to: floats)
        current = UnsafeMutableRawPointer(floats)
      }
      let target = step.operation.isInPlace ? current : next()
      run(step, from: current, to: target, block: block)
      (current, storage) = (target, step.outputStorage)
    }
    return finish(current.assumingMemoryBound(to: Float.self), probabilities)
  }

  /// Hands the probabilities over, and gives the class with the highest.
  func finish(_ values: UnsafePointer<Float>, _ probabilities: UnsafeMutablePointer<Float>) -> Int {
    var best = 0
    for index in 0..<classCount {
      probabilities[index] = values[index]
      if values[index] > values[best] { best = index }
    }
    return best
  }

  func convert(
    _ source: UnsafeRawPointer, _ storage: Storage, count: Int, to target: UnsafeMutablePointer<Float>
  ) {
    let bytes = source.assumingMemoryBound(to: UInt8.self)
    let (scale, offset) = byteMeaning(storage)
    for index in 0..<count { target[index] = Float(Int(bytes[index])) * scale + offset }
  }

  /// A stored byte b stands for b · scale + offset.
  func byteMeaning(_ storage: Storage) -> (scale: Float, offset: Float) {
    if case .bytes(let scale) = storage { (scale, 0) } else { (input.scale, input.offset) }
  }

  func run(
    _ step: Step, from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer,
    block: UnsafeMutableRawPointer
  ) {
    let bytes = UnsafePointer(source.assumingMemoryBound(to: UInt8.self))
    let floats = source.assumingMemoryBound(to: Float.self)
    let output = target.assumingMemoryBound(to: Float.self)
    switch step.operation {
    case .convolution(let convolution):
      let loop = ConvolutionLoop(convolution, step, tensor(convolution.weights), bias(convolution.bias))
      if let integers = convolution.integers {
        loop.run(integers, bytes, memory: block, to: target)
      } else {
        loop.run(floats, memory: block, to: output)
      }
    case .dense(let dense):
      let loop = DenseLoop(dense, inputs: step.input.count, tensor(dense.weights), bias(dense.bias))
      if let integers = dense.integers {
        loop.run(integers, bytes, to: target)
      } else {
        loop.run(floats, to: output)
      }
    case .maximumPool(let window):
      if step.inputStorage == .floats {
        maximumPool(window, step, floats, to: output)
      } else {
        maximumPool(window, step, bytes, to: target.assumingMemoryBound(to: UInt8.self))
      }
    case .averagePool(let window): averagePool(window, step, floats, to: output)
    case .globalAveragePool:
      let plane = Window(height: step.input.height, width: step.input.width, down: 1, across: 1)
      averagePool(plane, step, floats, to: output)
    case .flatten: break
    case .softmax: softmax(floats, count: step.input.count)
    case .activation(let activation):
      for index in 0..<step.input.count { floats[index] = activation(floats[index]) }
    case .affine(let scale, let shift):
      affine(tensor(scale), tensor(shift), step.input, floats)
    }
  }

  private typealias Window = Operation.Window

  private func bias(_ index: Int) -> WeightTensor? { index == InkFormat.noTensor ? nil : tensor(index) }
}
