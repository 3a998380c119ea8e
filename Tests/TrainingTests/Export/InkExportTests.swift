import Datasets
import Inference
import Tensors
import Testing

@testable import Training

struct InkExportTests {
  /// Float16 ends at 65,504: a larger weight would become that in silence.
  @Test(arguments: [TensorType.float32, .float16, .int8, .int4])
  func weightsBeyondHalfPrecision(type: TensorType) throws {
    let architecture = try Architecture(
      input: ImageShape(channels: 1, height: 2, width: 2), parsing: "dense 2")
    let classes = ClassTable(values: [0, 1])
    func export(_ weight: Float) throws {
      var model = try Model(architecture: architecture, seed: 1)
      model.values[3] = weight
      _ = try InkExport(weights: type).run(Checkpoint(model: model, classes: classes))
    }
    try export(-65_504)
    if type == .float16 {
      #expect(throws: ExportError.beyondHalfPrecision(-65_520)) { try export(-65_520) }
    } else {
      try export(-65_520)
    }
  }
}
