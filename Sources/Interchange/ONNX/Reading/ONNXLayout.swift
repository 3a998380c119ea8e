import Inference

/// How the axes of a value in the file stand to the channels, rows and columns that Inkling computes with.
///
/// In the file a value may be NCHW, NHWC, a vector, or anything that reshaping and transposing make of these. Here its
/// numbers always lie in the order channel, row, column; only what the axes of the file mean is kept.
struct ONNXLayout {
  enum Axis: Int, CaseIterable { case channel, row, column }

  let extent: Extent3
  /// Behind the batch, for each axis of the file's value the axes it runs over, the slowest first. Axes of extent 1 are
  /// nowhere.
  private(set) var axes: [[Axis]]

  private init(_ extent: Extent3, axes: [[Axis]]) {
    self.extent = extent
    self.axes = axes
  }

  /// An image as NCHW.
  init(image extent: Extent3) {
    self.init(extent, axes: Axis.allCases.map { Self.size(of: $0, extent) > 1 ? [$0] : [] })
  }

  /// A vector behind `leading` axes of extent 1.
  init(vector count: Int, leading: Int = 0) {
    let extent = Extent3(channels: count, height: 1, width: 1)
    self.init(extent, axes: [[Axis]](repeating: [], count: leading) + [count > 1 ? [.channel] : []])
  }

  /// The input of a network, with the batch in front; nil for what is no image of a fixed size.
  ///
  /// Four axes are NCHW, or NHWC where only the last can be that of the channels; three are NHW. A vector is taken for
  /// a square image, of one channel or of three, if it can be one.
  init?(inputShape shape: [Int?]) {
    self.init(anyInputShape: shape)
    // As many channels as an .ink file can say.
    guard Self.isAllowed(extent), extent.channels <= 255 else { return nil }
  }

  /// Whether an image has no more values than an `.ink` file may say.
  static func isAllowed(_ extent: Extent3) -> Bool {
    ONNXConstant.count([extent.channels, extent.height, extent.width]).map { $0 <= 1 << 24 } ?? false
  }

  private init?(anyInputShape shape: [Int?]) {
    let sizes = shape.dropFirst().compactMap(\.self)
    guard sizes.count == shape.count - 1, sizes.allSatisfy({ (1...65_535).contains($0) }) else { return nil }
    switch sizes.count {
    case 3 where sizes[2] <= 4 && sizes[0] > 4:
      let extent = Extent3(channels: sizes[2], height: sizes[0], width: sizes[1])
      let image = ONNXLayout(image: extent)
      self.init(extent, axes: [image.axes[1], image.axes[2], image.axes[0]])
    case 3: self.init(image: Extent3(channels: sizes[0], height: sizes[1], width: sizes[2]))
    case 2:
      let extent = Extent3(channels: 1, height: sizes[0], width: sizes[1])
      self.init(extent, axes: Array(ONNXLayout(image: extent).axes.dropFirst()))
    case 1:
      let extent = Self.square(sizes[0])
      self.init(extent, axes: [ONNXLayout(image: extent).axes.flatMap(\.self)])
    default: return nil
    }
  }

  private static func square(_ count: Int) -> Extent3 {
    for channels in [1, 3] where count % channels == 0 {
      let side = Int(Double(count / channels).squareRoot())
      if side > 1, channels * side * side == count {
        return Extent3(channels: channels, height: side, width: side)
      }
    }
    return Extent3(channels: 1, height: 1, width: count)
  }

  private static func size(of axis: Axis, _ extent: Extent3) -> Int {
    switch axis {
    case .channel: extent.channels
    case .row: extent.height
    case .column: extent.width
    }
  }

  private func size(_ axes: [Axis]) -> Int { axes.reduce(1) { $0 * Self.size(of: $1, extent) } }

  /// The shape in the file, of one image.
  var shape: [Int] { [1] + axes.map(size) }

  /// Whether the value is an image as NCHW.
  var isImage: Bool { axes == ONNXLayout(image: extent).axes }

  /// Which axis of the file's value the channels are, behind the batch; nil if rows or columns share it.
  var channelAxis: Int? { axes.firstIndex(of: [.channel]) }

  /// Whether all numbers lie along one axis of the file's value, the last one.
  var isVector: Bool { axes.dropLast().allSatisfy(\.isEmpty) && !axes.isEmpty }

  /// The same numbers with other axes, the batch in front; nil where these cut through ours.
  func reshaped(_ shape: [Int]) -> ONNXLayout? {
    guard shape.first == 1 else { return nil }
    var rest = axes.flatMap(\.self)[...]
    var result: [[Axis]] = []
    for size in shape.dropFirst() {
      var (group, product): ([Axis], Int) = ([], 1)
      while product < size, let axis = rest.popFirst() {
        group.append(axis)
        product *= Self.size(of: axis, extent)
      }
      guard product == size else { return nil }
      result.append(group)
    }
    return rest.isEmpty ? ONNXLayout(extent, axes: result) : nil
  }

  /// The same numbers with axis `i` where axis `order[i]` was, the batch first in both.
  func transposed(_ order: [Int]) -> ONNXLayout? {
    guard order.first == 0, order.sorted() == Array(0...axes.count) else { return nil }
    return ONNXLayout(extent, axes: order.dropFirst().map { axes[$0 - 1] })
  }

  /// The means over axes of the file's value, 0 the batch, which stay with extent 1 or go; nil unless these are all that
  /// hold rows or columns, and none that holds channels.
  func averaged(over places: [Int], keepsAxes: Bool) -> ONNXLayout? {
    let places = Set(places.map { $0 < 0 ? $0 + axes.count + 1 : $0 })
    guard places.allSatisfy({ (1...max(1, axes.count)).contains($0) }) else { return nil }
    for (index, axes) in axes.enumerated() where !axes.isEmpty {
      guard axes.contains(.channel) != places.contains(index + 1),
        axes.contains(.channel) == (axes == [.channel])
      else { return nil }
    }
    let kept = axes.indices.compactMap { places.contains($0 + 1) ? keepsAxes ? [] : nil : axes[$0] }
    return ONNXLayout(Extent3(channels: extent.channels, height: 1, width: 1), axes: kept)
  }

  /// Whether an axis of the file's value, 0 the batch, runs over all its numbers.
  func isWhole(_ place: Int) -> Bool {
    (1...max(1, axes.count)).contains(place) && shape.indices.contains(place) && shape[place] == extent.count
  }

  /// For a vector, where each of its numbers lies in the order channel, row, column; nil if in that order already.
  var vectorPlaces: [Int]? {
    let order = axes.flatMap(\.self)
    guard order != order.sorted(by: { $0.rawValue < $1.rawValue }) else { return nil }
    let strides: [Axis: Int] = [.channel: extent.planeCount, .row: extent.width, .column: 1]
    return order.reduce([0]) { places, axis in
      places.flatMap { place in (0..<Self.size(of: axis, extent)).map { place + $0 * (strides[axis] ?? 0) } }
    }
  }
}
