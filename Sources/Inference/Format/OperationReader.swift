extension ByteReader {
  /// Reads one operation of the table.
  mutating func operation() throws(InkError) -> Operation {
    let start = offset
    switch try byte() {
    case 1:
      let (activation, integers) = try activation()
      let filters = try short()
      let window = try window()
      let padding = (top: try byte(), left: try byte(), bottom: try byte(), right: try byte())
      return .convolution(
        Operation.Convolution(
          activation: activation, integers: integers, filters: filters, window: window, padding: padding,
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
    let window = Operation.Window(height: try byte(), width: try byte(), down: try byte(), across: try byte())
    guard window.height > 0, window.width > 0, window.down > 0, window.across > 0 else {
      throw InkError(.number, at: start)
    }
    return window
  }
}
