import Foundation
import PlainText

/// Files of pictures and drawings by class, as people keep them: one subfolder a class, or drawings that say what they show.
package struct PictureFolder {
  /// A file to read.
  package struct File: Hashable, Sendable {
    package let path: String
    /// Nil where the drawings in it say themselves what they show.
    package let className: String?

    /// Whether it holds drawings as JSON; a picture tells its kind by its content.
    var holdsDrawings: Bool { PictureFolder.isOfDrawings(path) }
  }

  private let path: String
  /// In the order of their names.
  package private(set) var files: [File] = []
  /// What is in the folder and cannot be packed.
  package private(set) var failures: [FileError] = []

  /// Lists a folder and, as classes, its subfolders with all that is in them; or takes one file of drawings.
  ///
  /// What starts with a dot is left out. Throws a `FileError` if there is no class at all.
  package init(path: String) throws(FileError) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw FileError(
        .missing, path: path, expected: "a folder with one subfolder a class", found: systemMessage(errno),
        remedy: "check the path")
    }
    if status.st_mode & S_IFMT != S_IFDIR {
      guard Self.isOfDrawings(path) else {
        throw FileError(
          .malformed, path: path, expected: "a folder with one subfolder a class", found: "a file",
          remedy: "name the folder that the classes lie in")
      }
      files = [File(path: path, className: nil)]
      return
    }
    var others: [String] = []
    for name in try Self.names(in: path) {
      let entry = Self.join(path, name)
      if Self.identity(ofFolder: entry) != nil {
        try addClass(name, at: entry)
      } else if Self.isOfDrawings(entry) {
        files.append(File(path: entry, className: nil))
      } else {
        others.append(entry)
      }
    }
    if files.isEmpty && failures.isEmpty {
      throw FileError(
        .malformed, path: path, expected: "one subfolder a class, with the pictures of that class in it",
        found: others.isEmpty ? "an empty folder" : "\(others.count.of("file")) and no subfolder",
        remedy: "put the pictures into subfolders named after what they show")
    }
    // Other files, such as a licence, are often there; a picture is most likely in the wrong place.
    for entry in others where Self.isNamedAsPicture(entry) {
      failures.append(
        FileError(
          .malformed, path: entry, expected: "a picture within the subfolder of a class",
          found: "one that is in none", remedy: "move it into one"))
    }
  }

  private mutating func addClass(_ name: String, at path: String) throws(FileError) {
    guard ClassNames.canHold(name) else {
      failures.append(
        FileError(
          .malformed, path: path, expected: "the name of a class",
          found: "one that a line of labels.txt cannot hold", remedy: "rename the folder"))
      return
    }
    let before = (files.count, failures.count)
    try addFiles(of: name, in: path, within: [])
    if before == (files.count, failures.count) {
      failures.append(
        FileError(
          .malformed, path: path, expected: "pictures of the class \(name.quoted)", found: "none",
          remedy: "put some there, or remove the folder"))
    }
  }

  /// - Parameter outer: the folders that this one lies in, from the class's on.
  private mutating func addFiles(of name: String, in path: String, within outer: [FolderIdentity])
    throws(FileError)
  {
    guard let identity = Self.identity(ofFolder: path) else { return }
    guard !outer.contains(identity) else {
      failures.append(
        FileError(
          .malformed, path: path, expected: "a folder", found: "a link to one that it lies in",
          remedy: "remove the link"))
      return
    }
    for entry in try Self.names(in: path).map({ Self.join(path, $0) }) {
      if Self.identity(ofFolder: entry) != nil {
        try addFiles(of: name, in: entry, within: outer + [identity])
      } else {
        files.append(File(path: entry, className: name))
      }
    }
  }

  /// Whether a place, which need not be there yet, is this folder or lies in it, whatever links lead there.
  package func contains(_ place: String) -> Bool {
    guard let own = Self.identity(ofFolder: path) else { return false }
    // Links are resolved from the first folder on that is there.
    var outer = URL(fileURLWithPath: place).standardizedFileURL
    while Self.identity(ofFolder: outer.path) == nil { outer.deleteLastPathComponent() }
    outer.resolveSymlinksInPath()
    while Self.identity(ofFolder: outer.path) != own {
      if outer.path == "/" { return false }
      outer.deleteLastPathComponent()
    }
    return true
  }

  private static func names(in path: String) throws(FileError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw FileError(
        .missing, path: path, expected: "a folder that can be read", found: "an error when listing it",
        remedy: "check the permissions")
    }
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func isOfDrawings(_ path: String) -> Bool {
    ["json", "jsonl", "ndjson"].contains((path as NSString).pathExtension.lowercased())
  }

  private static func isNamedAsPicture(_ path: String) -> Bool {
    ["png", "jpg", "jpeg", "pbm", "pgm", "ppm"].contains((path as NSString).pathExtension.lowercased())
  }

  /// What tells a folder from all others, whatever links lead to it.
  private struct FolderIdentity: Hashable {
    let device: dev_t
    let number: ino_t
  }

  /// Nil for what is no folder, nor a link to one.
  private static func identity(ofFolder path: String) -> FolderIdentity? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return FolderIdentity(device: status.st_dev, number: status.st_ino)
  }
}
