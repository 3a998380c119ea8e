import Foundation
import HostInference

/// Writes down what the plain loops of a network answer on this machine: the reference for other machines.
///
/// usage: plain-predictions MODEL.ink DIGITS PREDICTIONS, where DIGITS holds images one after another. PREDICTIONS gets
/// for each of them the class, as a 32-bit number, and the probabilities as floats.
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      print("usage: plain-predictions MODEL.ink DIGITS PREDICTIONS")
      exit(64)
    }
    // Not prepared, so that it runs the plain loops.
    let network = try Network(copying: [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[1]))))
    let digits = try [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[2])))
    let size = network.input.extent.count
    var records = Data()
    for start in stride(from: 0, through: digits.count - size, by: size) {
      let prediction = try network.predict(Array(digits[start..<start + size]))
      withUnsafeBytes(of: Int32(prediction.classIndex).littleEndian) { records.append(contentsOf: $0) }
      for probability in prediction.probabilities {
        withUnsafeBytes(of: probability.bitPattern.littleEndian) { records.append(contentsOf: $0) }
      }
    }
    try records.write(to: URL(fileURLWithPath: arguments[3]))
  }
}
