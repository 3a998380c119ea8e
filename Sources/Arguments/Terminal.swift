// All of the module's C calls are in this file. `stdout` is a C variable, which only `@preconcurrency` lets through;
// nothing here or in a program assigns it.
#if canImport(Darwin)
  @preconcurrency import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Where standard output or standard error leads, and what may be printed there.
public struct Terminal: Sendable {
  public static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
  public static let standardError = Terminal(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Whether a person looks at it, rather than a file or another program.
  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Its width in columns, 1000 at most: `COLUMNS` if that is set, else what the terminal says, else 80.
  public var width: Int {
    Self.width(columns: Self.environment("COLUMNS"), reported: reportedWidth)
  }

  /// Whether colours may be printed: only on a terminal other than `TERM=dumb`, unless `NO_COLOR` is set
  /// (no-color.org).
  public var allowsColor: Bool {
    Self.allowsColor(isTerminal: isTerminal, environment: Self.environment)
  }

  static func width(columns: String?, reported: Int?) -> Int {
    let chosen = columns.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    // Lines are padded to the width, so what the environment says must not become a huge text.
    return min(chosen ?? reported ?? 80, 1000)
  }

  static func allowsColor(isTerminal: Bool, environment: (String) -> String?) -> Bool {
    guard isTerminal, environment("NO_COLOR") ?? "" == "" else { return false }
    let kind = environment("TERM") ?? ""
    return kind != "" && kind != "dumb"
  }

  private var reportedWidth: Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

extension Terminal {
  /// Writes to standard error at once, past any buffer; what cannot be written there is lost.
  public static func writeError(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest.removeFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Sends on what `print` holds back; says why not all that was printed could be written.
  static func flushOutput() -> String? {
    let flushed = fflush(stdout) == 0
    let cause = errno
    if flushed && ferror(stdout) == 0 { return nil }
    return flushed ? "an earlier write failed" : String(cString: strerror(cause))
  }

  /// The usual fate of a program in front of `head`, also where the parent ignored the signal, as Python does.
  static func endQuietlyOnClosedPipe() {
    _ = signal(SIGPIPE, SIG_DFL)
  }

  static func endProcess(_ status: ExitStatus) -> Never {
    exit(status.rawValue)
  }
}
