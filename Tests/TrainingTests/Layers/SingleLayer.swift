import Tensors

@testable import Training

/// One layer by itself, with arrays in the place of an arena, for tests.
struct SingleLayer {
  let layer: Layer
  let input: ImageShape
  let output: ImageShape
  let parameterCount: Int
  let stateCount: Int
  let count: Int
  var kernels = KernelSet.current

  /// The only layer of `text`, for `count` images of shape `input`.
  init(_ text: String, input: ImageShape, count: Int) throws {
    let architecture = try Architecture(input: input, parsing: text)
    layer = architecture.layers[0]
    self.input = input
    self.count = count
    output = architecture.output
    let parameters = layer.rule.parameters(for: input)
    parameterCount = parameters.filter { !$0.isState }.reduce(0) { $0 + $1.count }
    stateCount = parameters.filter(\.isState).reduce(0) { $0 + $1.count }
  }

  struct Gradients {
    var input: [Float]
    var parameters: [Float]
  }

  func forward(_ values: [Float], _ parameters: [Float], state: [Float]? = nil, step: Int? = 0) -> [Float] {
    run(values, parameters, state: state, step: step, outputGradient: nil).output
  }

  /// The gradients of Σ outputGradient · output.
  func backward(_ values: [Float], _ parameters: [Float], outputGradient: [Float]) -> Gradients {
    run(values, parameters, state: nil, step: 0, outputGradient: outputGradient).gradients
  }

  private func run(
    _ values: [Float], _ parameters: [Float], state: [Float]?, step: Int?, outputGradient: [Float]?
  ) -> (output: [Float], gradients: Gradients) {
    let isInPlace = layer.rule.isInPlace
    let x = Arena(copying: values)
    let y = isInPlace ? x : Arena(valueCount: count * output.count)
    let weights = Arena(copying: parameters)
    let running = Arena(copying: state ?? Array(repeating: 0, count: stateCount))
    let memory = layer.rule.memory(from: input, to: output)
    let saved = Arena(valueCount: 0, byteCount: count * memory.savedBytes)
    let scratch = Arena(copying: Array(repeating: .nan, count: memory.scratch))
    let prepared = Arena(valueCount: memory.prepared)
    let mode = step.map { LayerPass.Mode.training(seed: 1, step: $0, firstImage: 0, layer: 0) } ?? .evaluation
    let tables = layer.rule.tables(from: input, to: output) + [0]
    return tables.withUnsafeBufferPointer { tables in
      guard let tables = tables.baseAddress else { return ([], Gradients(input: [], parameters: [])) }
      let numbers = LayerParameters(
        trainable: weights.values, state: running.values, prepared: prepared.values, tables: tables)
      layer.rule.prepare(numbers, for: input, kernels: kernels)
      let pass = LayerPass(
        count: count, inputShape: input, outputShape: output, input: x.values, output: y.values,
        parameters: numbers, saved: saved.bytes, scratch: scratch.values, mode: mode, kernels: kernels)
      layer.rule.forward(pass)
      let result = y.array(count * output.count)
      guard let outputGradient else { return (result, Gradients(input: [], parameters: [])) }

      let dy = Arena(copying: outputGradient)
      // Anything but zeros, to notice what is added to instead of written.
      let dx = isInPlace ? dy : Arena(copying: Array(repeating: .nan, count: count * input.count))
      let sums = Arena(valueCount: memory.shardGradient)
      layer.rule.backward(pass, LayerGradients(output: dy.values, input: dx.values, shard: sums.values))
      let dw = Arena(copying: Array(repeating: .nan, count: parameterCount))
      layer.rule.conclude(shardGradient: sums.values, into: dw.values, for: input)
      for part in 0..<layer.rule.batchParts(for: input) {
        layer.rule.backward(
          part: part,
          BatchPass(
            count: count, inputShape: input, input: x.values, outputGradient: dy.values, trainable: dw.values,
            scratch: scratch.values, kernels: kernels))
      }
      return (
        result,
        Gradients(input: dx.array(count * input.count), parameters: dw.array(parameterCount))
      )
    }
  }
}

/// Values that are never nearer than 0.05 to 0 or to each other, in a shuffled order, so that finite
/// differences cross no kink of a ReLU and no tie of a maximum.
func separatedValues(_ count: Int, seed: UInt64) -> [Float] {
  var random = RandomStream(seed: seed, stream: .initialization)
  return (0..<count).map { 0.05 * (Float($0 - count / 2) + 0.5) * 2 }.shuffled(using: &random)
}

func normalValues(_ count: Int, seed: UInt64) -> [Float] {
  var random = RandomStream(seed: seed, stream: .initialization)
  return (0..<count).map { _ in random.normal() }
}
