/// The extent of one image or of one image's activations: channels × height × width.
///
/// Everywhere in memory and in files the order is C, H, W, row-major, with the batch in front.
public struct ImageShape: Hashable, Sendable, Codable {
  public var channels: Int
  public var height: Int
  public var width: Int

  public init(channels: Int, height: Int, width: Int) {
    self.channels = channels
    self.height = height
    self.width = width
  }

  /// Channels, height and width, in their order in memory.
  public var extents: [Int] { [channels, height, width] }

  /// The number of values, channels · height · width.
  public var count: Int { channels * height * width }

  /// The number of values in one channel, height · width.
  public var planeCount: Int { height * width }
}

extension ImageShape: CustomStringConvertible {
  /// `1×28×28`; a flat vector is its length alone: `120`.
  public var description: String {
    planeCount == 1 ? "\(channels)" : "\(channels)×\(height)×\(width)"
  }
}
