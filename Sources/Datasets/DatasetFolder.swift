import Foundation

/// A folder with the IDX files of one data set, found by the names that such files go by.
struct DatasetFolder {
  /// The paths of one part's two files.
  struct Pair: Hashable {
    let images: String
    let labels: String
  }

  private let path: String
  private let fileNames: [String]
  private let files: [IDXFileName]

  /// Lists the folder.
  init(path: String) throws(FileError) {
    self.path = path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard exists, isFolder.boolValue else {
      throw FileError(
        .missing, path: path,
        expected: "a folder with training and test files such as "
          + "\(DatasetSource.Part.training.exampleName(.images)) and "
          + DatasetSource.Part.training.exampleName(.labels),
        found: exists ? "a file" : "no such folder",
        remedy: exists ? "name the folder that it lies in" : Self.remedy(path))
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw FileError(
        .missing, path: path, expected: "a folder that can be read", found: "an error when listing it",
        remedy: "check the permissions")
    }
    // Folders are left out: some archives unpack to a folder that is called like the file in it.
    fileNames = names.sorted().filter { name in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
      return exists && !isFolder.boolValue
    }
    files = fileNames.compactMap(IDXFileName.init)
  }

  /// Loads the parts that there are, training first; one of them at least.
  ///
  /// Throws a `FileError` for anything wrong with a file.
  func load() throws(FileError) -> [(part: DatasetSource.Part, data: Dataset)] {
    let source = DatasetSource(folder: path)
    var parts: [(part: DatasetSource.Part, data: Dataset)] = []
    if holds(.training) || !holds(.test) { parts.append((.training, try source.load(.training))) }
    guard holds(.test) else { return parts }
    guard let known = parts.first?.data.classes else {
      return [(.test, try source.load(.test))]
    }
    // Names are for the classes of training; here fewer may occur, or others.
    let test = try DatasetSource(folder: path, names: .values).load(.test)
    let nameOfValue = Dictionary(uniqueKeysWithValues: zip(known.values, known.names))
    let names = test.classes.values.map { nameOfValue[$0] ?? "\($0)" }
    let classes = ClassTable(values: test.classes.values, names: names)
    return parts + [
      (
        .test,
        Dataset(
          shape: test.shape, pixels: test.pixels, labels: test.labels, classes: classes, source: test.source)
      )
    ]
  }

  /// Whether there is any file of this part.
  func holds(_ part: DatasetSource.Part) -> Bool { files.contains { $0.part == part } }

  /// The images and labels of one part.
  ///
  /// Throws a `FileError` if a file is missing, or if several sets lie in the folder.
  func pair(_ part: DatasetSource.Part) throws(FileError) -> Pair {
    let set = try setName(part)
    return Pair(
      images: try file(.images, part, of: set), labels: try file(.labels, part, of: set))
  }

  /// The names in the folder's `labels.txt` or mapping file, nil if there is none.
  func classNames() throws(FileError) -> ClassNames? {
    let candidates = fileNames.filter { name in
      let name = name.lowercased()
      return !name.hasPrefix(".")
        && (name == "labels.txt" || name.contains("mapping") && name.hasSuffix(".txt"))
    }
    guard candidates.count <= 1 else { throw ambiguous("one file of class names", candidates) }
    guard let name = candidates.first else { return nil }
    return try ClassNames(contentsOf: "\(path)/\(name)")
  }

  /// The one set of which both images and labels are there.
  private func setName(_ part: DatasetSource.Part) throws(FileError) -> String {
    let complete = Set(files.filter { $0.kind == .images }.map { [$0.set, $0.part.rawValue] })
      .intersection(files.filter { $0.kind == .labels }.map { [$0.set, $0.part.rawValue] })
    let sets = Set(complete.map { $0[0] }).sorted()
    guard sets.count <= 1 else {
      throw ambiguous("the files of one data set", files.filter { sets.contains($0.set) }.map(\.name))
    }
    // With no complete pair, the set of any file of this part tells which file is missing.
    return sets.first ?? files.first { $0.part == part }?.set ?? ""
  }

  private func file(
    _ kind: IDXFileName.Kind, _ part: DatasetSource.Part, of set: String
  ) throws(FileError) -> String {
    let matches = files.filter { $0.kind == kind && $0.part == part && $0.set == set }
    let raw = matches.filter { !$0.isCompressed }
    let stems = Set(raw.map(\.stem))
    let candidates = raw + matches.filter { $0.isCompressed && !stems.contains($0.stem) }
    guard candidates.count <= 1 else {
      throw ambiguous("one file of \(part.rawValue) \(kind.rawValue)", candidates.map(\.name))
    }
    guard let match = candidates.first else {
      let name = part.exampleName(kind, set: set)
      throw FileError(
        .missing, path: path,
        expected: "\(part.rawValue) \(kind.rawValue), \(name) or "
          + "\(name.replacing("-idx", with: ".idx")), with or without .gz",
        found: files.isEmpty ? "no IDX file" : "only \(Self.list(files.map(\.name)))",
        remedy: Self.remedy(path))
    }
    return "\(path)/\(match.name)"
  }

  private func ambiguous(_ expected: String, _ candidates: [String]) -> FileError {
    FileError(
      .malformed, path: path, expected: expected, found: "several: \(Self.list(candidates))",
      remedy: "name the files one by one, or move the others away")
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }

  private static func remedy(_ path: String) -> String {
    let components = path.split(separator: "/")
    return components.suffix(2) == ["Data", "mnist"]
      ? "run \"make mnist\" to fetch the set" : "check the folder, or name the files one by one"
  }
}

extension ClassTable {
  /// The classes of these label values, by the names that lie beside the labels file; nil where none lie there,
  /// or some that do not fit.
  ///
  /// - Parameter values: ascending.
  package init?(values: [Int], besideLabels path: String) {
    let folder = (path as NSString).deletingLastPathComponent
    guard (1...Self.largestCount).contains(values.count),
      let names = try? DatasetFolder(path: folder.isEmpty ? "." : folder).classNames(),
      let table = try? names.table(of: values, labelsPath: path)
    else { return nil }
    self = table
  }
}
