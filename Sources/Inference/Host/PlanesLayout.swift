#if INKLING_KERNELS
  import Kernels

  /// How an image is laid out for the convolution kernel: in a frame of zeros, its rows at one distance; with a stride
  /// s dealt out to s × s planes, in each of which neighbouring windows lie 1 apart. Without padding and stride the
  /// image is taken as it is.
  struct PlanesLayout {
    private let convolution: Operation.Convolution
    private let input: Extent3
    let output: Extent3
    private let phasesDown: Int
    private let phasesAcross: Int
    private let rows: Int
    let pitch: Int
    let isDirect: Bool

    init(_ convolution: Operation.Convolution, input: Extent3, output: Extent3) {
      self.convolution = convolution
      self.input = input
      self.output = output
      let window = convolution.window
      phasesDown = min(window.down, window.height)
      phasesAcross = min(window.across, window.width)
      rows = output.height + (window.height - 1) / window.down
      pitch = output.width + (window.width - 1) / window.across
      isDirect = window.down == 1 && window.across == 1 && rows == input.height && pitch == input.width
    }

    /// Values from a channel's planes to the next channel's.
    var channelStep: Int { phasesDown * phasesAcross * rows * pitch }
    /// Values that the planes take beside the image.
    var planesCount: Int { isDirect ? 0 : input.channels * channelStep }
    var stripCount: Int { Int(INKLING_STRIP_ROWS) * (output.height * pitch + Int(INKLING_COLUMNS)) }
    var groupChannels: Int { input.channels / convolution.groups }
    /// Inputs below the kernel in one group.
    var inner: Int { groupChannels * convolution.window.height * convolution.window.width }

    /// Where each place of the kernel finds its pixel, from the planes of a group's first channel.
    func fill(_ offsets: UnsafeMutablePointer<Int32>) {
      let window = convolution.window
      var index = 0
      for channel in 0..<groupChannels {
        for ky in 0..<window.height {
          for kx in 0..<window.width {
            let phase = ky % window.down * phasesAcross + kx % window.across
            let place = (phase * rows + ky / window.down) * pitch + kx / window.across
            offsets[index] = Int32(channel * channelStep + place)
            index += 1
          }
        }
      }
    }

    /// The planes of an image: the image itself, or a copy in `planes`.
    func spread(_ image: UnsafePointer<Float>, into planes: UnsafeMutablePointer<Float>) -> UnsafePointer<
      Float
    > {
      if isDirect { return image }
      planes.update(repeating: 0, count: planesCount)
      let window = convolution.window
      for phaseX in 0..<phasesAcross {
        // Column q of the phase is the image's column q · across + shift.
        let shift = phaseX - convolution.left
        let first = min(pitch, shift >= 0 ? 0 : (-shift + window.across - 1) / window.across)
        let end = min(pitch, shift < input.width ? (input.width - 1 - shift) / window.across + 1 : 0)
        guard first < end else { continue }
        for channel in 0..<input.channels {
          for phaseY in 0..<phasesDown {
            let plane =
              planes + (channel * phasesDown * phasesAcross + phaseY * phasesAcross + phaseX) * rows * pitch
            for row in 0..<rows {
              let y = row * window.down + phaseY - convolution.top
              guard y >= 0, y < input.height else { continue }
              let from = image + (channel * input.height + y) * input.width + first * window.across + shift
              let to = plane + row * pitch + first
              if window.across == 1 {
                to.update(from: from, count: end - first)
              } else {
                for i in 0..<end - first { to[i] = from[i &* window.across] }
              }
            }
          }
        }
      }
      return UnsafePointer(planes)
    }
  }
#endif
