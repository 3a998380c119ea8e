import Tensors

/// A rectangle in pixels, height first as in texts: `3x5` is 3 high and 5 wide.
public struct Extent: Hashable, Sendable, CustomStringConvertible {
  public var height: Int
  public var width: Int

  public init(_ height: Int, _ width: Int) {
    self.height = height
    self.width = width
  }

  public var description: String { "\(height)x\(width)" }
  var count: Int { height * width }
}

/// What lies beyond the edge of a convolution's input.
public enum Padding: String, Hashable, Sendable {
  /// Nothing: the kernel stays inside.
  case valid
  /// Zeros, so that the output is the input's size divided by the stride, rounded up. An odd zero goes
  /// to the bottom and the right.
  case same
}

/// How a kernel slides over a plane.
struct Window {
  let kernel: Extent
  let stride: Extent
  let padding: Padding

  /// Outputs along one side, or nil where the kernel does not fit.
  private func outputs(_ side: Int, kernel: Int, stride: Int) -> Int? {
    switch padding {
    case .same: side > 0 ? (side + stride - 1) / stride : nil
    case .valid: side >= kernel ? (side - kernel) / stride + 1 : nil
    }
  }

  /// The extent of the output for an input of `height` × `width`.
  func output(height: Int, width: Int) throws(LayerMisfit) -> Extent {
    guard let rows = outputs(height, kernel: kernel.height, stride: stride.height),
      let columns = outputs(width, kernel: kernel.width, stride: stride.width)
    else {
      throw LayerMisfit(reason: "a \(kernel) window does not fit into an input of \(height)x\(width)")
    }
    return Extent(rows, columns)
  }

  /// Rows of zeros above and columns of zeros to the left.
  func zerosBefore(input: ImageShape, output: ImageShape) -> (top: Int, left: Int) {
    guard padding == .same else { return (0, 0) }
    let rows = (output.height - 1) * stride.height + kernel.height - input.height
    let columns = (output.width - 1) * stride.width + kernel.width - input.width
    return (max(0, rows) / 2, max(0, columns) / 2)
  }
}
