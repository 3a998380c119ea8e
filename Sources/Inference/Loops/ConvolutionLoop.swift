/// The plain loops of a convolution: for each filter and each of its weights a whole plane at a time.
struct ConvolutionLoop {
  private let operation: Operation.Convolution
  private let input: Extent3
  private let output: Extent3
  private let weights: WeightTensor
  private let bias: WeightTensor?

  init(_ operation: Operation.Convolution, _ step: Step, _ weights: WeightTensor, _ bias: WeightTensor?) {
    self.operation = operation
    (input, output) = (step.input, step.output)
    self.weights = weights
    self.bias = bias
  }

  func run(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    for filter in 0..<operation.filters {
      let plane = target + filter * output.planeCount
      for place in 0..<output.planeCount { plane[place] = 0 }
      forEachWeight(of: filter) { column, channel, rows, columns, shiftY, shiftX in
        let weight = weights.number(filter, column)
        for y in rows {
          let from =
            source + (channel * input.height + y * operation.window.down + shiftY) * input.width + shiftX
          let to = plane + y * output.width
          if operation.window.across == 1 {
            for x in columns { to[x] += weight * from[x] }
          } else {
            for x in columns { to[x] += weight * from[x &* operation.window.across] }
          }
        }
      }
      let (scale, shift) = (weights.scale(of: filter), bias.map { $0.number(filter, 0) } ?? 0)
      for place in 0..<output.planeCount { plane[place] = operation.activation(plane[place] * scale + shift) }
    }
  }

  func run(
    _ integers: Operation.IntegerScales, _ source: UnsafePointer<UInt8>, sums: UnsafeMutablePointer<Int32>,
    to target: UnsafeMutableRawPointer
  ) {
    for filter in 0..<operation.filters {
      for place in 0..<output.planeCount { sums[place] = 0 }
      forEachWeight(of: filter) { column, channel, rows, columns, shiftY, shiftX in
        let weight = weights.integer(filter, column)
        for y in rows {
          let from =
            source + (channel * input.height + y * operation.window.down + shiftY) * input.width + shiftX
          let to = sums + y * output.width
          for x in columns { to[x] &+= weight &* Int32(from[x &* operation.window.across]) }
        }
      }
      let requantization = Requantization(
        integers, weightScale: weights.scale(of: filter), bias: bias.map { $0.number(filter, 0) } ?? 0,
        operation.activation)
      requantization.run(sums, count: output.planeCount, to: target, from: filter * output.planeCount)
    }
  }

  /// Calls `body` for each weight of a filter with its column, its channel, the rows and columns of the output that
  /// it reaches, and where the pixel for output (0, 0) lies: what is outside the image is left out.
  private func forEachWeight(
    of filter: Int,
    _ body: (
      _ column: Int, _ channel: Int, _ rows: Range<Int>, _ columns: Range<Int>, _ shiftY: Int, _ shiftX: Int
    ) -> Void
  ) {
    let window = operation.window
    let depth = input.channels / operation.groups
    let firstChannel = filter / (operation.filters / operation.groups) * depth
    for ky in 0..<window.height {
      let rows = Self.reach(input.height, output.height, window.down, ky - operation.top)
      for kx in 0..<window.width {
        let columns = Self.reach(input.width, output.width, window.across, kx - operation.left)
        if rows.isEmpty || columns.isEmpty { continue }
        for channel in 0..<depth {
          body(
            (channel * window.height + ky) * window.width + kx, firstChannel + channel, rows, columns,
            ky - operation.top, kx - operation.left)
        }
      }
    }
  }

  /// The outputs whose pixel `output · stride + shift` lies in 0..<input.
  private static func reach(_ input: Int, _ output: Int, _ stride: Int, _ shift: Int) -> Range<Int> {
    let first = shift >= 0 ? 0 : (-shift + stride - 1) / stride
    let end = shift < input ? min(output, (input - 1 - shift) / stride + 1) : 0
    return first..<max(first, end)
  }
}
