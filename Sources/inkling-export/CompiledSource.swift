import Datasets
import Foundation
import Programs
import Training

/// C source that was exported, compiled by this machine's compiler and run as a program of its own.
struct CompiledSource {
  private let source: [UInt8]
  private let header: ExportedFile.Header

  init(_ source: [UInt8], header: ExportedFile.Header) {
    self.source = source
    self.header = header
  }

  /// Compiles and runs it in a folder that is gone afterwards.
  func predictions(for data: Dataset) throws -> Predictions {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("inkling-export-\(ProcessInfo.processInfo.globallyUniqueString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      "\(header.name).h": Array(header.text.utf8), "\(header.name).c": source,
      "verify_main.c": Array(program.utf8), "pixels": data.pixels,
    ]
    for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
    guard let compiler = Self.compiler else {
      throw MisfitError("--verify: expected a C compiler, found no cc, clang or gcc; install one of them")
    }
    try run(
      compiler, ["-std=c99", "-O2", "-o", "verify", "./\(header.name).c", "verify_main.c"], in: folder,
      failure: "the compiler to take the source")
    try run(folder.appendingPathComponent("verify"), [], in: folder, failure: "the source to run to its end")
    let answers = try Data(contentsOf: folder.appendingPathComponent("probabilities"))
    let probabilities = answers.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    guard probabilities.count == data.count * data.classes.count else {
      throw MisfitError("--verify: expected answers to \(data.count.of("image")), found fewer")
    }
    return Predictions(probabilities: probabilities, truths: data.labels, classCount: data.classes.count)
  }

  private static var compiler: URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = ["cc", "clang", "gcc"].flatMap { name in folders.map { "\($0)/\(name)" } }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { URL(fileURLWithPath: $0) }
  }

  private func run(_ program: URL, _ arguments: [String], in folder: URL, failure: String) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw MisfitError(
        "--verify: expected \(failure), found that \(program.lastPathComponent) failed", details: text)
    }
  }

  /// Reads images from the file `pixels`, and writes each one's probabilities.
  private var program: String {
    let capitals = header.prefix.uppercased()
    return """
      #include <stdio.h>
      #include "\(header.name).h"

      int main(void) {
        static uint8_t pixels[\(capitals)_CHANNELS * \(capitals)_HEIGHT * \(capitals)_WIDTH];
        static float probabilities[\(capitals)_CLASSES];
        FILE *images = fopen("pixels", "rb"), *answers = fopen("probabilities", "wb");
        if (!images || !answers) return 1;
        while (fread(pixels, sizeof pixels, 1, images) == 1) {
          \(header.prefix)_predict(pixels, probabilities);
          if (fwrite(probabilities, sizeof probabilities, 1, answers) != 1) return 1;
        }
        return fclose(answers) != 0;
      }

      """
  }
}
