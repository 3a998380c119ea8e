/// A network in the bytes of an `.ink` file, found whole and sound; the bytes are borrowed and must outlive it.
///
/// ```swift
/// let network = try Network(bytes)
/// let label = network.predict(pixels, scratch: scratch, probabilities: probabilities)
/// ```
///
/// It works from flash as it is, and allocates nothing. Unsafe pointers are used throughout: the bytes may lie in flash
/// or in a mapped file, and the buffers are the caller's.
public struct Network: @unchecked Sendable {
  /// The images that the network takes.
  public let input: InputDescription
  /// Below this the highest probability says that the image shows none of the classes; 0 where that is not told apart.
  public let refusalThreshold: Float
  /// Whether images are ink as the module Ink's `NormalizedInk` describes it, so that drawings and pictures of any size are
  /// to be brought into that form.
  public let takesNormalizedInk: Bool
  /// The number of classes, and of probabilities.
  public let classCount: Int
  let bytes: UnsafeRawBufferPointer
  let operations: Range<Int>
  let tensors: Range<Int>
  private let labels: Range<Int>
  /// These two begin at 0 where they are not there.
  let values: Range<Int>
  let metadata: Range<Int>
  #if INKLING_KERNELS
    /// Keeps the bytes where nobody else does.
    var owner: NetworkBytes?
    var prepared: PreparedNetwork?
  #endif
  /// Where in the scratch memory the activations lie.
  let memory: ScratchPlan

  /// What a pixel means.
  public struct InputDescription: Hashable, Sendable {
    public var extent: Extent3
    /// Whether ink has high values and paper is 0.
    public var isInkHigh: Bool
    /// A pixel becomes the value `pixel · scale + offset`.
    public var scale: Float
    public var offset: Float

    public init(extent: Extent3, isInkHigh: Bool = true, scale: Float = 1 / 255, offset: Float = 0) {
      self.extent = extent
      self.isInkHigh = isInkHigh
      self.scale = scale
      self.offset = offset
    }
  }

  /// Checks all of the bytes. Throws `InkError` for anything but a whole file that can be run.
  ///
  /// Cost: one pass for the checksum; nothing else depends on the size of the tensors.
  public init(_ bytes: UnsafeRawBufferPointer) throws(InkError) {
    let sections = try Sections(bytes)
    self.bytes = bytes
    var reader = ByteReader(bytes, sections.input)
    let start = try reader.take(6).lowerBound
    let extent = Extent3(
      channels: Int(bytes[start &+ 4]), height: bytes.short(at: start &+ 2), width: bytes.short(at: start))
    let polarity = bytes[start &+ 5]
    let (scale, offset) = (try reader.float(), try reader.float())
    guard reader.isAtEnd, polarity <= 1, extent.isPlausible else {
      throw InkError(.number, at: sections.input.lowerBound)
    }
    input = InputDescription(extent: extent, isInkHigh: polarity == 1, scale: scale, offset: offset)
    (operations, tensors, labels) = (sections.operations, sections.tensors, sections.labels)
    (values, metadata) = (sections.values, sections.metadata)
    (refusalThreshold, takesNormalizedInk) = (sections.refusalThreshold, sections.takesNormalizedInk)
    classCount = try Self.checkLabels(bytes, sections)
    try Self.checkTensors(bytes, sections.tensors)
    memory = try ScratchPlan(
      bytes: bytes, operations: sections.operations, tensors: sections.tensors, input: input,
      classCount: classCount)
  }

  /// The bytes of scratch memory that a prediction needs, aligned to 16.
  public var scratchByteCount: Int {
    #if INKLING_KERNELS
      if let prepared { return prepared.scratchByteCount }
    #endif
    return memory.byteCount
  }

  /// The UTF-8 bytes of a class's name.
  ///
  /// - Precondition: `index` is in 0..<classCount.
  public func labelBytes(_ index: Int) -> UnsafeRawBufferPointer {
    precondition(index >= 0 && index < classCount)
    var at = labels.lowerBound &+ 2
    for _ in 0..<index { at &+= 1 &+ Int(bytes[at]) }
    return UnsafeRawBufferPointer(rebasing: bytes[at &+ 1..<at &+ 1 &+ Int(bytes[at])])
  }

  /// Calls `body` with the UTF-8 bytes of each class's name, in their order.
  public func forEachLabel(_ body: (_ name: UnsafeRawBufferPointer) -> Void) {
    var at = labels.lowerBound + 2
    for _ in 0..<classCount {
      let name = at + 1..<at + 1 + Int(bytes[at])
      body(UnsafeRawBufferPointer(rebasing: bytes[name]))
      at = name.upperBound
    }
  }

  /// The label value of a class in data sets.
  ///
  /// - Precondition: `index` is in 0..<classCount.
  public func labelValue(_ index: Int) -> Int {
    precondition(index >= 0 && index < classCount)
    guard values.lowerBound > 0 else { return index }
    return Int(Int32(bitPattern: bytes.word(at: values.lowerBound + 4 * index)))
  }

  /// Calls `body` with each pair of the provenance: the UTF-8 bytes of its key and of its value.
  public func forEachMetadata(
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    guard metadata.lowerBound > 0 else { return }
    try? Sections.readMetadata(bytes, metadata, body)
  }

  /// The number of bytes of the whole file.
  public var byteCount: Int { bytes.count }

  /// - Precondition: the tensor is in the table.
  func tensor(_ index: Int) -> WeightTensor { WeightTensor(bytes, table: tensors, index) }
}
