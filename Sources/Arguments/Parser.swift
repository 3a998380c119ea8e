import PlainText

extension Command {
  /// Reads the arguments that follow the program's name.
  ///
  /// `--option value` and `--option=value` mean the same; a value that starts with `--` needs the second form.
  /// After `--` all are operands. `-` and negative numbers are values or operands, not options.
  public func parse(_ arguments: some Sequence<String>) throws(UsageError) -> ParsedArguments {
    var parser = Parser(command: self)
    return try parser.parse(Array(arguments))
  }
}

/// One pass over the arguments, from left to right.
struct Parser {
  private let command: Command
  private let options: [any CommandOption]
  private var texts: [String: String] = [:]

  init(command: Command) {
    self.command = command
    options = command.sections.flatMap(\.options)
  }

  mutating func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var operands: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      if Self.isOption(argument) {
        try readOption(argument, rest: &rest)
      } else {
        operands.append(argument)
      }
    }
    for option in options where option.isRequired && texts[option.name] == nil {
      throw command.usageError("--\(option.name): expected \(option.expected), but it is not given")
    }
    try checkCount(of: operands)
    return ParsedArguments(operands: operands, texts: texts, declared: Set(options.map(\.name)))
  }

  /// Whether the argument can only be meant as an option: not `-`, `-1` or `-.5`.
  static func isOption(_ argument: String) -> Bool {
    let bytes = Array(argument.utf8.prefix(2))
    guard bytes.count == 2, bytes[0] == UInt8(ascii: "-") else { return false }
    return bytes[1] != UInt8(ascii: ".") && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[1])
  }

  private mutating func readOption(_ argument: String, rest: inout ArraySlice<String>) throws(UsageError) {
    // By bytes: a value may start with a combining mark, which would make one character with "=".
    let equals = argument.utf8.firstIndex(of: UInt8(ascii: "="))
    let spelling = argument[..<(equals ?? argument.endIndex)]
    let attached = equals.map { String(argument[argument.utf8.index(after: $0)...]) }

    guard let option = option(spelt: spelling) else { throw unknown(String(spelling)) }
    guard texts[option.name] == nil else { throw command.usageError("--\(option.name) is given twice") }
    if option.placeholder == nil {
      guard attached == nil else {
        throw command.usageError("--\(option.name) takes no value, found \((attached ?? "").quoted)")
      }
      texts[option.name] = ""
      return
    }
    guard let text = attached ?? Self.takeValue(from: &rest) else {
      throw refusal(of: option, found: rest.first.map(\.quoted) ?? "nothing")
    }
    guard option.accepts(text) else { throw refusal(of: option, found: text.quoted) }
    texts[option.name] = text
  }

  private func option(spelt spelling: Substring) -> (any CommandOption)? {
    if spelling == "-h" { return Command.help }
    guard spelling.hasPrefix("--") else { return nil }
    return options.first { $0.name == spelling.dropFirst(2) }
  }

  /// The next argument, unless it is an option: a forgotten value must not swallow what follows.
  private static func takeValue(from rest: inout ArraySlice<String>) -> String? {
    guard let next = rest.first, next != "-h", !next.hasPrefix("--") else { return nil }
    return rest.popFirst()
  }

  private func refusal(of option: any CommandOption, found: String) -> UsageError {
    command.usageError("--\(option.name): expected \(option.expected), found \(found)")
  }

  private func unknown(_ spelling: String) -> UsageError {
    let near = nearest(to: String(spelling.drop { $0 == "-" }), among: options.map(\.name))
    let advice = near.map { "; did you mean --\($0)?" } ?? ""
    return command.usageError("unknown option \(spelling.quoted)\(advice)")
  }

  private func checkCount(of operands: [String]) throws(UsageError) {
    let expected = command.operands
    if operands.count > expected.count.upperBound {
      let limit =
        expected.count.upperBound == 0
        ? "\(command.name) takes options only"
        : "expected at most \(expected.count.upperBound) (\(expected.placeholder))"
      throw command.usageError(
        "unexpected argument \(operands[expected.count.upperBound].quoted); \(limit)")
    }
    if operands.count < expected.count.lowerBound {
      throw command.usageError(
        "expected \(expected.placeholder) (at least \(expected.count.lowerBound)), found "
          + (operands.isEmpty ? "none" : "\(operands.count)"))
    }
  }
}
