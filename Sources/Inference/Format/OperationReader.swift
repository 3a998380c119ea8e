extension ByteReader {
  /// Reads one operation of the table.
  mutating func operation() throws(InkError) -> Operation {
    let start = offset
    switch try byte() {
    case 1:
      let (activation, integers) = try activation()
      let filters = try short()
      let window = try window()
      let rest = try take(10).lowerBound
      return .convolution(
        Operation.Convolution(
          activation: activation, integers: integers, filters: filters, window: window,
          padding: (
            top: Int(bytes[rest]), left: Int(bytes[rest &+ 1]), bottom: Int(bytes[rest &+ 2]),
            right: Int(bytes[rest &+ 3])
          ),
          groups: bytes.short(at: rest &+ 4), weights: bytes.short(at: rest &+ 6),
          bias: bytes.short(at: rest &+ 8)))
    case 2:
      let (activation, integers) = try activation()
      let outputs = try count()
      let rest = try take(4).lowerBound
      return .dense(
        Operation.Dense(
          activation: activation, integers: integers, outputs: outputs, weights: bytes.short(at: rest),
          bias: bytes.short(at: rest &+ 2)))
    case 3: return .maximumPool(try window())
    case 4: return .averagePool(try window())
    case 5: return .globalAveragePool
    case 6: return .flatten
    case 7: return .softmax
    case 8:
      let (activation, integers) = try activation()
      guard integers == nil else { throw InkError(.number, at: start) }
      return .activation(activation)
    case 9:
      let tensors = try take(4).lowerBound
      return .affine(scale: bytes.short(at: tensors), shift: bytes.short(at: tensors &+ 2))
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
    // Bytes are handed on only where nothing is below 0.
    guard integers.output == 0 || activation == .rectifier else { throw InkError(.number, at: start) }
    return (activation, integers)
  }

  private mutating func window() throws(InkError) -> Operation.Window {
    let start = try take(4).lowerBound
    let window = Operation.Window(
      height: Int(bytes[start]), width: Int(bytes[start &+ 1]), down: Int(bytes[start &+ 2]),
      across: Int(bytes[start &+ 3]))
    guard window.height > 0, window.width > 0, window.down > 0, window.across > 0 else {
      throw InkError(.number, at: start)
    }
    return window
  }
}
