import Foundation
import Interchange
import Testing

/// A C compiler of this machine.
struct CCompiler: CustomStringConvertible, Sendable {
  let description: String
  private let path: String

  /// gcc and clang, as far as they are there; clang comes with Swift.
  static let all: [CCompiler] = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    func compiler(_ name: String) -> CCompiler? {
      let paths = folders.map { "\($0)/\(name)" }
      return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { CCompiler(description: name, path: $0) }
    }
    return ["gcc", "clang"].compactMap(compiler)
  }()

  /// Why it did not do what it was to do; empty if it did.
  func complaints(_ arguments: [String], in folder: URL) throws -> String {
    try run(URL(fileURLWithPath: path), arguments, in: folder)
  }
}

/// Runs a program; if its exit status is not 0, gives that and what it wrote to its standard error.
func run(
  _ program: URL, _ arguments: [String], in folder: URL, input: URL? = nil, output: URL? = nil
) throws -> String {
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  process.currentDirectoryURL = folder
  process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
  process.standardOutput = try output.map { try FileHandle(forWritingTo: $0) } ?? FileHandle.nullDevice
  let errors = Pipe()
  process.standardError = errors
  try process.run()
  let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  let status = process.terminationStatus
  return status == 0 ? "" : "\(text)\n(exit status \(status))"
}

/// C source in a folder of its own, and the program that a compiler makes of it.
final class CompiledNetwork {
  /// Warnings are errors, as the strictest users have them.
  static let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"]

  struct Prediction: Equatable {
    var classIndex: Int
    var probabilities: [Float]
  }

  let folder: URL
  private let classCount: Int

  init(
    _ source: CSource, name: String, classCount: Int, _ compiler: CCompiler, options: [String] = strict
  ) throws {
    self.classCount = classCount
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("inkling-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (file, text) in [
      ("\(name).c", source.source), ("\(name).h", source.header),
      ("main.c", Self.main(source, name: name)),
    ] {
      try Data(text.utf8).write(to: folder.appendingPathComponent(file))
    }
    let complaints = try compiler.complaints(
      options + ["-o", "program", "main.c", "\(name).c"], in: folder)
    try #require(complaints.isEmpty, "\(compiler)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Predicts image after image from standard input, in either of the two ways, which have to agree.
  private static func main(_ source: CSource, name: String) -> String {
    let (prefix, capitals) = (source.prefix, source.prefix.uppercased())
    return """
      #include <stdio.h>
      #include <string.h>
      #include "\(name).h"

      int main(void) {
        static uint8_t pixels[\(capitals)_CHANNELS * \(capitals)_HEIGHT * \(capitals)_WIDTH];
        static float probabilities[\(capitals)_CLASSES], again[\(capitals)_CLASSES];
        static \(prefix)_scratch scratch;
        if (sizeof scratch != \(source.scratchByteCount)) return 2;
        while (fread(pixels, sizeof pixels, 1, stdin) == 1) {
          int32_t label = \(prefix)_predict(pixels, probabilities);
          memset(&scratch, 0xFF, sizeof scratch);
          if (\(prefix)_predict_with(pixels, again, &scratch) != label) return 3;
          if (memcmp(probabilities, again, sizeof again) != 0) return 4;
          fwrite(&label, sizeof label, 1, stdout);
          fwrite(probabilities, sizeof probabilities, 1, stdout);
        }
        for (int i = -1; i <= \(capitals)_CLASSES; i++) {
          const char *label = \(prefix)_label(i);
          if (label) {
            puts(label);
          } else if (i >= 0 && i < \(capitals)_CLASSES) {
            return 5;
          }
        }
        return 0;
      }

      """
  }

  /// What it predicts for images, one behind another, and the names of its classes, each in a line.
  func run(_ pixels: [UInt8], count: Int) throws -> (predictions: [Prediction], labels: String) {
    let (input, output) = (folder.appendingPathComponent("input"), folder.appendingPathComponent("output"))
    try Data(pixels).write(to: input)
    try Data().write(to: output)
    let program = folder.appendingPathComponent("program")
    let errors = try InterchangeTests.run(program, [], in: folder, input: input, output: output)
    try #require(errors.isEmpty)
    let bytes = [UInt8](try Data(contentsOf: output))
    let size = 4 * (1 + classCount)
    try #require(bytes.count >= size * count)
    func word(_ index: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
    }
    let predictions = (0..<count).map { image in
      let first = image * (1 + classCount)
      return Prediction(
        classIndex: Int(word(first)),
        probabilities: (first + 1..<first + 1 + classCount).map { Float(bitPattern: word($0)) })
    }
    return (predictions, String(decoding: bytes[(size * count)...], as: UTF8.self))
  }
}
