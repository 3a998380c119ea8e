import Inference

extension InkError: CustomStringConvertible {
  /// Place, what was expected and what was found, in words.
  public var description: String {
    let (expected, found) =
      switch reason {
      case .notInk: ("an .ink file", "something else")
      case .version: ("version \(InkFormat.version)", "another version; it was written by a newer Inkling")
      case .length: ("a whole file", "one that is cut short or longer than it says")
      case .checksum: ("the right checksum", "another: the file is damaged")
      case .unknownSection: ("sections of this version", "one that has to be understood and is not known")
      case .sections: ("each section once", "one that is missing or there twice")
      case .unknownKind: ("operations and tensors of this version", "one of another kind")
      case .number: ("a number that the format allows", "another")
      case .tensor: ("a tensor within the file", "one that reaches beyond it")
      case .shape: ("operations that fit together", "one that cannot take what the one before gives")
      case .classes: ("a name for each class that the network tells apart", "other names")
      case .text: ("text in UTF-8", "bytes that are none")
      }
    return "at byte \(offset): expected \(expected), found \(found)"
  }
}
