extension ByteReader {
  /// Reads one operation of the table.
  mutating func operation() throws(InkError) -> Operation {
    let start = offset
    switch try byte() {
    case 1:
      let (activation, integers) = try activation()
      let filters = try short()
      let window = try window()
      let padding = try take(4).lowerBound
      return .convolution(
        Operation.Convolution(
          activation: activation, integers: integers, filters: filters, window: window,
          padding: (
            top: Int(bytes[padding]), left: Int(bytes[padding &+ 1]), bottom: Int(bytes[padding &+ 2]),
            right: Int(bytes[padding &+ 3])
          ),
          groups: try short(), weights: try short(), bias: try short()))
    case 2:
      let (activation, integers) = try activation()
      return .dense(
        Operation.Dense(
          activation: activation, integers: integers, outputs: try count(), weights: try short(),
          bias: try short()))
    case 3: return .maximumPool(try window())
    case 4: return .averagePool(try window())
    case 5: return .globalAveragePool
    case 6: return .flatten
    case 7: return .softmax
    case 8:
      let (activation, integers) = try activation()
      guard integers == nil else { throw InkError(.number, at: start) }
      return .activation(activation)
    case 9: return .affine(scale: try short(), shift: try short())
    default: throw InkError(.unknownKind, at: start)
    }
  }

  private mutating func activation() throws(InkError) -> (Operation.Activation, Operation.IntegerScales?) {
    let start = offset
    let code = try byte()
    let activation: Operation.Activation
    switch code & 0x7F {
    case 0: activation = .none
    case 1: activation = .rectifier
    case 2: activation = .leaky(try float())
    default: throw InkError(.unknownKind, at: start)
    }
    guard code & 0x80 != 0 else { return (activation, nil) }
    let integers = Operation.IntegerScales(input: try float(), output: try float())
    guard integers.input > 0, integers.output >= 0 else { throw InkError(.number, at: start) }
    return (activation, integers)
  }

  private mutating func window() throws(InkError) -> Operation.Window {
    let start = offset
    _ = try take(4)
    let window = Operation.Window(
      height: Int(bytes[start]), width: Int(bytes[start &+ 1]), down: Int(bytes[start &+ 2]),
      across: Int(bytes[start &+ 3]))
    guard window.height > 0, window.width > 0, window.down > 0, window.across > 0 else {
      throw InkError(.number, at: start)
    }
    return window
  }
}
