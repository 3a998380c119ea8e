import Tensors

/// Convolution as a matrix product: each place of the kernel becomes a column of the inputs below it.
struct Unfolding {
  let window: Window
  let input: ImageShape
  let output: ImageShape

  /// Rows of the unfolded matrix: channels · kernel height · kernel width.
  var rows: Int { input.channels * window.kernel.count }

  /// Whether the unfolded matrix is the image itself, as for a 1×1 kernel with stride 1.
  var isIdentity: Bool {
    window.kernel == Extent(1, 1) && window.stride == Extent(1, 1)
  }

  /// Writes one image [C, H, W] as a matrix [C · kernel, output H · W].
  func unfold(_ image: UnsafePointer<Float>, into matrix: UnsafeMutablePointer<Float>) {
    forEachRow { source, target, columns, stride in
      let row = matrix + target
      if let source {
        row.update(repeating: 0, count: columns.lowerBound)
        let first = image + source
        if stride == 1 {
          (row + columns.lowerBound).update(from: first, count: columns.count)
        } else {
          for i in 0..<columns.count { row[columns.lowerBound &+ i] = first[i &* stride] }
        }
        (row + columns.upperBound).update(repeating: 0, count: output.width - columns.upperBound)
      } else {
        row.update(repeating: 0, count: output.width)
      }
    }
  }

  /// Adds each entry of a matrix as `unfold` makes it to the pixel it came from.
  func fold(_ matrix: UnsafePointer<Float>, addingTo image: UnsafeMutablePointer<Float>) {
    forEachRow { source, target, columns, stride in
      guard let source else { return }
      let row = matrix + (target + columns.lowerBound)
      let first = image + source
      if stride == 1 {
        for i in 0..<columns.count { first[i] += row[i] }
      } else {
        for i in 0..<columns.count { first[i &* stride] += row[i] }
      }
    }
  }

  /// Calls `body` for each stretch of one output row below one place of the kernel.
  ///
  /// `target` is the stretch's offset in the matrix; `columns` are the output columns whose input lies
  /// inside the image, and `source` is the offset of the first of these inputs, nil if the row is all padding.
  private func forEachRow(
    _ body: (_ source: Int?, _ target: Int, _ columns: Range<Int>, _ stride: Int) -> Void
  ) {
    let (top, left) = window.zerosBefore(input: input, output: output)
    let stride = window.stride
    var target = 0
    for channel in 0..<input.channels {
      for ky in 0..<window.kernel.height {
        for kx in 0..<window.kernel.width {
          // Output column x reads input column x · stride + shift.
          let shift = kx - left
          let first = shift >= 0 ? 0 : (-shift + stride.width - 1) / stride.width
          let end = shift < input.width ? (input.width - 1 - shift) / stride.width + 1 : 0
          let columns = min(first, output.width)..<max(min(first, output.width), min(end, output.width))
          for y in 0..<output.height {
            let row = y * stride.height + ky - top
            let isInside = row >= 0 && row < input.height && !columns.isEmpty
            let source =
              (channel * input.height + row) * input.width + columns.lowerBound * stride.width + shift
            body(isInside ? source : nil, target, columns, stride.width)
            target += output.width
          }
        }
      }
    }
  }
}
