import Tensors

/// Where a convolution finds its pixels, for one shape of input.
///
/// The kernels want rows at one distance, the pitch, and outputs whose windows lie 1 apart. With padding the image is
/// therefore copied into a frame of zeros; with a stride s its rows and columns are dealt out to s × s planes, the
/// phases, in each of which neighbouring windows lie 1 apart. Without either the image is taken as it is.
struct ConvolutionGeometry {
  let input: ImageShape
  let output: ImageShape
  private let kernel: Extent
  private let stride: Extent
  private let top: Int
  private let left: Int
  private let groups: Int
  /// Phases down and across; beyond the kernel's extent none is ever looked at.
  private let phases: Extent
  /// Rows of a phase, and the distance between them.
  private let rows: Int
  let pitch: Int
  let groupChannels: Int
  let groupFilters: Int
  let weightCount: Int
  /// Whether the planes are the image itself.
  let isDirect: Bool

  init(_ convolution: Convolution, _ input: ImageShape, _ output: ImageShape) {
    self.input = input
    self.output = output
    (kernel, stride, groups) = (convolution.kernel, convolution.stride, convolution.groups)
    (top, left) = convolution.window.zerosBefore(input: input, output: output)
    phases = Extent(min(stride.height, kernel.height), min(stride.width, kernel.width))
    rows = output.height + (kernel.height - 1) / stride.height
    pitch = output.width + (kernel.width - 1) / stride.width
    groupChannels = input.channels / groups
    groupFilters = output.channels / groups
    weightCount = output.channels * groupChannels * kernel.count
    isDirect = stride == Extent(1, 1) && rows == input.height && pitch == input.width
  }

  /// Inputs below the kernel in one group.
  var inner: Int { groupChannels * kernel.count }
  /// Values from a channel's planes to the next channel's.
  var channelStep: Int { phases.count * rows * pitch }
  var planesCount: Int { input.channels * channelStep }
  /// From the first place of an output to the last, at the pitch.
  var places: Int { (output.height - 1) * pitch + output.width }
  /// Values from an output's plane to the next, once its rows lie at the pitch.
  var outputStep: Int { pitch == output.width ? output.planeCount : output.height * pitch }
  /// Values in which a shard adds up the gradient by the weights: [group, panel, inner, columns].
  var sumsCount: Int { groups * KernelSet.panels(groupFilters) * inner * KernelSet.columns }

  /// Where each place of the kernel finds its pixel, from the planes of a group's first channel.
  var tapOffsets: [Int32] {
    (0..<kernel.height).flatMap { ky in
      (0..<kernel.width).map { kx in
        let phase = ky % stride.height * phases.width + kx % stride.width
        return Int32((phase * rows + ky / stride.height) * pitch + kx / stride.width)
      }
    }
  }

  /// The same for all channels of a group.
  var offsets: [Int32] {
    (0..<groupChannels).flatMap { channel in tapOffsets.map { Int32(channel * channelStep) + $0 } }
  }

  /// Offsets in a worker's scratch memory. What forward and backward need at different times shares its place.
  var scratch: (strip: Int, output: Int, panel: Int, gradient: Int, count: Int) {
    let planes = isDirect ? 0 : planesCount
    let strip = KernelSet.stripRows * (output.height * pitch + KernelSet.columns)
    let spread = pitch == output.width ? 0 : output.channels * outputStep
    let panel = output.planeCount * KernelSet.columns
    let gradient = isDirect ? 0 : planesCount
    return (
      strip: planes, output: planes, panel: planes + spread, gradient: planes + spread + panel,
      count: planes + max(strip, spread + panel + gradient)
    )
  }

  /// The planes of an image [C, H, W]: the image itself, or a copy in `planes`.
  func spread(_ image: UnsafeMutablePointer<Float>, into planes: UnsafeMutablePointer<Float>)
    -> UnsafeMutablePointer<Float>
  {
    if isDirect { return image }
    planes.update(repeating: 0, count: planesCount)
    forEachRow { plane, source, count in
      let (to, from) = (planes + plane, image + source)
      if stride.width == 1 {
        for i in 0..<count { to[i] = from[i] }
      } else {
        for i in 0..<count { to[i] = from[i &* stride.width] }
      }
    }
    return planes
  }

  /// The adjoint of `spread`: each pixel's gradient, 0 where no window reached it.
  func gather(_ planes: UnsafePointer<Float>, into image: UnsafeMutablePointer<Float>) {
    image.update(repeating: 0, count: input.count)
    forEachRow { plane, source, count in
      let (from, to) = (planes + plane, image + source)
      if stride.width == 1 {
        for i in 0..<count { to[i] = from[i] }
      } else {
        for i in 0..<count { to[i &* stride.width] = from[i] }
      }
    }
  }

  /// The gradient of an output with its rows at the pitch and zeros between them: itself, or a copy in `target`.
  func spreadOutput(_ gradient: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>)
    -> UnsafePointer<Float>
  {
    if pitch == output.width { return gradient }
    for row in 0..<output.channels * output.height {
      let (to, from) = (target + row * pitch, gradient + row * output.width)
      for x in 0..<output.width { to[x] = from[x] }
      for x in output.width..<pitch { to[x] = 0 }
    }
    return UnsafePointer(target)
  }

  /// Calls `body` for each stretch of a plane's row that lies in the image: its offset in the planes, that of its first
  /// pixel in the image, and its length.
  private func forEachRow(_ body: (_ plane: Int, _ source: Int, _ count: Int) -> Void) {
    for phaseX in 0..<phases.width {
      // Column q of the phase is the image's column q · stride + shift.
      let shift = phaseX - left
      let first = min(pitch, shift >= 0 ? 0 : (-shift + stride.width - 1) / stride.width)
      let end = min(pitch, shift < input.width ? (input.width - 1 - shift) / stride.width + 1 : 0)
      guard first < end else { continue }
      for channel in 0..<input.channels {
        for phaseY in 0..<phases.height {
          let plane = (channel * phases.count + phaseY * phases.width + phaseX) * rows * pitch
          for row in 0..<rows {
            let y = row * stride.height + phaseY - top
            guard y >= 0, y < input.height else { continue }
            body(
              plane + row * pitch + first,
              (channel * input.height + y) * input.width + first * stride.width + shift, end - first)
          }
        }
      }
    }
  }
}
