import Foundation

/// A terminal without a screen, to see what a program draws for a person.
final class PseudoTerminal {
  /// The program's end.
  let device: FileHandle
  private let descriptor: Int32
  private var text = ""

  init(columns: UInt16) throws {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var ends: (ours: Int32, theirs: Int32) = (-1, -1)
    guard openpty(&ends.ours, &ends.theirs, nil, nil, &size) == 0 else {
      throw CocoaError(.featureUnsupported)
    }
    descriptor = ends.ours
    device = FileHandle(fileDescriptor: ends.theirs, closeOnDealloc: true)
  }

  deinit { close(descriptor) }

  /// All that was drawn until `isEnough` of it is there, or until the program has ended.
  func read(until isEnough: (String) -> Bool = { _ in false }) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !isEnough(text) {
      // On Linux reading fails, rather than ends, once the program's end is closed.
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text
  }
}
