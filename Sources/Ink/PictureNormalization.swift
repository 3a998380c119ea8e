// From a picture of any size to the one that a network takes: the paper goes, the ink is cut out, its lines get the width
// of MNIST's, and it is laid into the middle.

/// The largest pictures that are looked at in full, in pixels; larger ones are made smaller first.
public enum PictureLimits {
  public static let mostPixels = 1 << 20
}

extension GreyPicture {
  /// The bytes of memory that `normalize` needs for a picture of this size, aligned to 16.
  ///
  /// - Precondition: at most `PictureLimits.mostPixels` pixels.
  public static func workspaceByteCount(width: Int, height: Int) -> Int {
    let count = width * height
    let points = DistanceField.side * DistanceField.side
    return 2 * InkMemory.byteCount(Paper.parts * Paper.parts, of: Float.self)
      + InkMemory.byteCount(width, of: Float.self) + InkMemory.byteCount(count, of: UInt8.self)
      + 2 * InkMemory.byteCount(count, of: Int32.self)
      + InkMemory.byteCount(Components.most, of: Component.self) + InkMemory.byteCount(points, of: UInt8.self)
      + 2 * InkMemory.byteCount(points, of: Float.self)
      + 3 * InkMemory.byteCount(DistanceField.side + 2, of: Float.self)
  }
}

/// Brings a picture into what networks take; see `NormalizedInk`. Ink may be dark or light, paper unevenly lit; lines around
/// the ink, as in a form, and specks are left out. One that is already as networks take it is copied.
///
/// Throws `DrawingError.empty` for a picture of nothing but paper. Takes 4 ms for 200 × 200 pixels.
///
/// - Parameters:
///   - picture: any picture.
///   - workspace: `workspaceByteCount` bytes, aligned to 16.
///   - pixels: 28 × 28 bytes, ink high, which are written.
public func normalize(
  _ picture: GreyPicture, workspace: UnsafeMutableRawPointer, to pixels: UnsafeMutablePointer<UInt8>
) throws(DrawingError) {
  if picture.copyNormalized(to: pixels) { return }
  let reading = try PictureReading(picture, workspace)
  guard let bounds = reading.components.bounds(of: 0), bounds.area >= 2 else { throw .empty }
  reading.fit(bounds, to: pixels)
}

/// Brings each digit of a line, from left to right, into what networks take.
///
/// Throws `DrawingError.empty` for a picture of nothing but paper.
///
/// - Parameters:
///   - picture: any picture.
///   - workspace: `workspaceByteCount` bytes, aligned to 16.
///   - body: is called with the 28 × 28 bytes of each digit, ink high.
public func normalizeDigits(
  _ picture: GreyPicture, workspace: UnsafeMutableRawPointer, _ body: (UnsafePointer<UInt8>) -> Void
) throws(DrawingError) {
  var reading = try PictureReading(picture, workspace)
  let count = reading.components.numberDigits()
  guard count > 0 else { throw .empty }
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NormalizedInk.count) { pixels in
    guard let pixels = pixels.baseAddress else { return }
    for digit in 1...count {
      guard let bounds = reading.components.bounds(of: digit) else { continue }
      reading.fit(bounds, to: pixels)
      body(pixels)
    }
  }
}

/// What a picture shows, in memory of the caller.
private struct PictureReading {
  var components: Components
  private let memory: InkMemory

  init(_ picture: GreyPicture, _ workspace: UnsafeMutableRawPointer) throws(DrawingError) {
    guard picture.width > 0, picture.height > 0 else { throw .empty }
    var memory = InkMemory(workspace)
    let parts = Paper.parts * Paper.parts
    let paper = Paper(
      picture, values: memory.take(parts, of: Float.self), scratch: memory.take(parts, of: Float.self))
    guard
      let map = InkMap(
        picture, paper, row: memory.take(picture.width, of: Float.self),
        to: memory.take(picture.count, of: UInt8.self))
    else { throw .empty }
    var components = Components(
      map, labels: memory.take(picture.count, of: Int32.self),
      stack: memory.take(picture.count, of: Int32.self),
      groups: memory.take(Components.most, of: Component.self))
    components.clean()
    self.components = components
    self.memory = memory
  }

  /// Lays a digit's ink, which the box is around, into the middle of `pixels`.
  func fit(_ bounds: Component, to pixels: UnsafeMutablePointer<UInt8>) {
    var memory = memory
    let points = DistanceField.side * DistanceField.side
    let isInk = memory.take(points, of: UInt8.self)
    let cut = InkCut(components, bounds)
    cut.sample(to: isInk)
    let field = DistanceField(
      isInk, distances: memory.take(points, of: Float.self),
      DistanceField.Scratch(
        grid: memory.take(points, of: Float.self), line: memory.take(DistanceField.side + 2, of: Float.self),
        places: memory.take(DistanceField.side + 2, of: Int32.self),
        starts: memory.take(DistanceField.side + 2, of: Float.self)))
    InkFitting(field, radius: field.radius(isInk), cut).draw(to: pixels)
  }
}

extension GreyPicture {
  /// Calls `body` with a picture of these pixels and the memory that its normalisation needs.
  private static func with<Result>(
    _ pixels: [UInt8], width: Int, height: Int,
    _ body: (GreyPicture, UnsafeMutableRawPointer) throws(DrawingError) -> Result
  ) throws(DrawingError) -> Result {
    precondition(pixels.count == width * height && pixels.count <= PictureLimits.mostPixels)
    let workspace = UnsafeMutableRawPointer.allocate(
      byteCount: workspaceByteCount(width: width, height: height), alignment: 16)
    defer { workspace.deallocate() }
    return try pixels.withUnsafeBufferPointer { pixels throws(DrawingError) in
      // An empty array has no address.
      guard let start = pixels.baseAddress else { throw .empty }
      return try body(GreyPicture(pixels: start, width: width, height: height), workspace)
    }
  }

  fileprivate static func normalized(_ pixels: [UInt8], width: Int, height: Int) throws(DrawingError)
    -> [UInt8]
  {
    try with(pixels, width: width, height: height) { picture, workspace throws(DrawingError) in
      var result = [UInt8](repeating: 0, count: NormalizedInk.count)
      try normalize(picture, workspace: workspace, to: &result)
      return result
    }
  }

  fileprivate static func normalizedDigits(
    _ pixels: [UInt8], width: Int, height: Int
  ) throws(DrawingError) -> [[UInt8]] {
    try with(pixels, width: width, height: height) { picture, workspace throws(DrawingError) in
      var digits: [[UInt8]] = []
      try normalizeDigits(picture, workspace: workspace) {
        digits.append([UInt8](UnsafeBufferPointer(start: $0, count: NormalizedInk.count)))
      }
      return digits
    }
  }
}

/// The picture that networks take, 28 × 28 bytes with ink high, made of a grey one of any size; see `NormalizedInk`.
///
/// Throws `DrawingError.empty` for a picture of nothing but paper.
///
/// - Precondition: `pixels` has width · height values, at most `PictureLimits.mostPixels`.
public func normalized(_ pixels: [UInt8], width: Int, height: Int) throws(DrawingError) -> [UInt8] {
  try GreyPicture.normalized(pixels, width: width, height: height)
}

/// Such a picture of each digit in a line, from left to right.
///
/// Throws `DrawingError.empty` for a picture of nothing but paper.
///
/// - Precondition: `pixels` has width · height values, at most `PictureLimits.mostPixels`.
public func normalizedDigits(_ pixels: [UInt8], width: Int, height: Int) throws(DrawingError) -> [[UInt8]] {
  try GreyPicture.normalizedDigits(pixels, width: width, height: height)
}
