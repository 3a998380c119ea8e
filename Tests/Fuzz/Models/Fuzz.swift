import Datasets
import Foundation
import HostInference
import Inference
import SampleNetworks
import Tensors
import Training

@testable import Interchange

// What libFuzzer calls for files of others: any bytes are an ONNX network, weights, or an error.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  if let model = try? ONNXNetwork(bytes: bytes, name: "fuzz") { hold(model) }
  if let weights = try? WeightFile(bytes: bytes, path: "fuzz") { hold(weights) }
  // Behind the checksums of an archive hardly any change would get through to them.
  _ = try? NumPyArray(bytes)
  return 0
}

/// A network has to be one that an .ink file holds, with weights of each kind, and that is read again once written.
private func hold(_ model: ONNXNetwork) {
  guard let read = try? Network(copying: model.inkAsWritten) else { fatalError("an .ink file that is none") }
  let numbers = model.network.tensors.reduce(0) { $0 + $1.values.count }
  // Larger ones take long, and running them is the business of the other fuzzer.
  guard read.scratchByteCount < 1 << 16, numbers < 1 << 12 else { return }
  _ = try? read.predict([UInt8](repeating: 7, count: read.input.extent.count))
  let type = TensorType.allCases[numbers % TensorType.allCases.count]
  let tensors = model.network.tensors.map { QuantizedMatrix($0, as: $0.isWeight ? type : .float32) }
  guard let written = try? ONNXModel(model.network, tensors: tensors) else { return }
  do { _ = try ONNXNetwork(bytes: written.bytes, name: "again") } catch {
    fatalError("written, but not read again: \(error)")
  }
}

/// Weights either fit a network or say why not.
private func hold(_ weights: WeightFile) {
  let plain = try? Architecture(
    input: ImageShape(channels: 1, height: 12, width: 12),
    parsing: "conv 3x3 8 same, batchnorm, relu, maxpool 2, dense 10")
  for case let architecture? in [plain, try? weights.architecture()] {
    _ = try? WeightStart(weights, as: architecture, seed: 1)
  }
}

/// Writes the files to start from into the folder that `INKLING_SEEDS` names.
@_cdecl("LLVMFuzzerInitialize")
public func start(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  guard let folder = ProcessInfo.processInfo.environment["INKLING_SEEDS"] else { return 0 }
  do {
    for (index, sample) in SampleNetwork.all.enumerated() {
      let checkpoint = try sample.checkpoint()
      let network = try checkpoint.lowered()
      let tensors = network.tensors.map {
        QuantizedMatrix($0, as: $0.isWeight && index % 2 == 0 ? .int8 : .float32)
      }
      let seeds = [
        "onnx": try ONNXModel(network, tensors: tensors).bytes,
        "safetensors": try SafetensorsModel(checkpoint).bytes,
      ]
      for (format, bytes) in seeds {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(index).\(format)"))
      }
    }
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n"
    try Data(
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8) + [0, 0, 0, 0]
    )
    .write(to: URL(fileURLWithPath: "\(folder)/array.npy"))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
