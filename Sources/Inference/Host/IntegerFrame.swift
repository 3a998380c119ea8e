#if INKLING_KERNELS
  /// How activations in bytes are laid out for the integer kernels: pixel by pixel with all channels of one side by
  /// side, [row][column][channel], in a frame of zeros as wide as the padding. Where the kernel takes no such bytes as
  /// they are, for instance the pixels of the image, values have 16 bits.
  struct IntegerFrame {
    /// The image without its frame.
    let image: Extent3
    let isWide: Bool
    /// Whether the image comes as channels × rows × columns.
    let isPlanar: Bool
    private let top: Int
    private let left: Int
    private let rows: Int
    private let columns: Int
    /// Whether the image is taken as it is.
    let isDirect: Bool

    init(
      _ image: Extent3, storage: Storage, isPlanar: Bool, byteLimit: Int,
      padding: (top: Int, left: Int, bottom: Int, right: Int)
    ) {
      self.image = image
      isWide = storage == .pixels ? byteLimit < 255 : byteLimit < 127
      self.isPlanar = isPlanar && image.channels > 1 && image.planeCount > 1
      (top, left) = (padding.top, padding.left)
      rows = image.height + padding.top + padding.bottom
      columns = image.width + padding.left + padding.right
      // Words are read that reach beyond the last pixel, which only our own memory allows.
      isDirect =
        storage != .pixels && !isWide && !self.isPlanar && rows == image.height && columns == image.width
    }

    var valueByteCount: Int { isWide ? 2 : 1 }
    /// Bytes from a pixel to the next.
    var pixelByteCount: Int { image.channels * valueByteCount }
    /// Bytes from a row to the next.
    var pitch: Int { columns * pixelByteCount }
    /// Bytes that the frame takes beside the image.
    var byteCount: Int { isDirect ? 0 : rows * pitch }

    /// The image in its frame: the image itself, or a copy in `frame`.
    func spread(_ source: UnsafePointer<UInt8>, into frame: UnsafeMutableRawPointer) -> UnsafePointer<UInt8> {
      if isDirect { return source }
      if rows != image.height || columns != image.width {
        frame.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      }
      if isWide {
        copy(source, to: frame.assumingMemoryBound(to: Int16.self)) { Int16($0) }
      } else {
        copy(source, to: frame.assumingMemoryBound(to: UInt8.self)) { $0 }
      }
      return UnsafePointer(frame.assumingMemoryBound(to: UInt8.self))
    }

    @inline(__always) private func copy<Value>(
      _ source: UnsafePointer<UInt8>, to frame: UnsafeMutablePointer<Value>, _ convert: (UInt8) -> Value
    ) {
      let (rowCount, step) = (image.width * image.channels, columns * image.channels)
      for y in 0..<image.height {
        let target = frame + ((y + top) * step + left * image.channels)
        if isPlanar {
          for channel in 0..<image.channels {
            let from = source + (channel * image.height + y) * image.width
            for x in 0..<image.width { target[x &* image.channels &+ channel] = convert(from[x]) }
          }
        } else {
          let from = source + y * rowCount
          for index in 0..<rowCount { target[index] = convert(from[index]) }
        }
      }
    }
  }
#endif
