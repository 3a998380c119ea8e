/// Why bytes are no `.ink` file that can be run, and where in them.
///
/// No text is kept: on a microcontroller there is nobody to read it. `HostInference` puts it in words.
public struct InkError: Error, Hashable, Sendable {
  public enum Reason: UInt8, Hashable, Sendable {
    /// The bytes do not begin as an `.ink` file does.
    case notInk
    /// A version that this reader does not know.
    case version
    /// The file ends before, or after, where it says.
    case length
    /// The CRC-32 at the end is another.
    case checksum
    /// A section that has to be understood is not known.
    case unknownSection
    /// A section is there twice, or one that is needed is not there.
    case sections
    /// An operation or a tensor type is not known.
    case unknownKind
    /// A number is outside what the format allows.
    case number
    /// A tensor's place or extent does not fit.
    case tensor
    /// An operation cannot take the output of the one before.
    case shape
    /// There are not as many classes as outputs, or a name is empty or no UTF-8.
    case classes
    /// Metadata are no UTF-8.
    case text
  }

  public let reason: Reason
  /// The place in the file, in bytes from its start.
  public let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}
