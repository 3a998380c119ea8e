import Inference
import Testing
import Training

@testable import Interchange

struct CoreMLWeightsTests {
  private func stored(_ values: [Float], rows: Int, as type: TensorType) -> CoreMLWeights {
    CoreMLWeights(
      QuantizedMatrix(
        LoweredNetwork.Matrix(rows: rows, columns: values.count / rows, values: values, isWeight: true),
        as: type))
  }

  @Test func halvesAreLittleEndian() {
    guard case .float16(let bytes) = stored([1, -2], rows: 1, as: .float16).storage else {
      Issue.record("no halves")
      return
    }
    #expect(bytes == [0x00, 0x3C, 0x00, 0xC0])
  }

  @Test func bytesHaveNoSign() {
    guard
      case .linear(8, let bytes, let scales, let offsets) =
        stored([127, -127, 0, 2, -254, 4], rows: 2, as: .int8).storage
    else {
      Issue.record("no bytes")
      return
    }
    #expect(bytes == [255, 1, 128, 129, 1, 130])
    #expect(scales == [1, 2] && offsets == [-128, -256])
  }

  /// Two a byte, the first in the high half, also across rows; the last half is zero.
  @Test func fourBitsFollowOneAnother() {
    guard
      case .linear(4, let bytes, let scales, let offsets) =
        stored([7, -7, 0, 7, 1, -7, 7, 2, -1], rows: 3, as: .int4).storage
    else {
      Issue.record("no halves of bytes")
      return
    }
    #expect(scales == [1, 1, 1] && offsets == [-8, -8, -8])
    #expect(bytes == [0xF1, 0x8F, 0x91, 0xFA, 0x70])
  }
}
