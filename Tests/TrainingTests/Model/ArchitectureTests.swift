import Tensors
import Testing

@testable import Training

@Suite struct ArchitectureTests {
  private let digit = ImageShape(channels: 1, height: 28, width: 28)

  // The counts that the papers and PyTorch's example state.
  @Test(arguments: [
    (Preset.linear, 7850), (.mlp, 101_770), (.lenet5, 61_706), (.cnn, 1_199_882),
  ])
  func presetsHaveTheirParameters(preset: Preset, expected: Int) throws {
    let architecture = try Architecture(input: digit, parsing: preset.text(classes: 10))
    #expect(architecture.parameterCount == expected)
    #expect(ParameterTable(architecture).trainableCount == expected)
    #expect(architecture.output == ImageShape(channels: 10, height: 1, width: 1))
  }

  @Test(arguments: [
    "conv 3x3 32, relu, maxpool 2, dense 10", "conv 5x3 4 stride 2 same groups 2 nobias, leakyrelu 0.1",
    "depthwise 3x3, batchnorm, dropout 0.25, avgpool 2 stride 1, globalavgpool, flatten, dense 3 nobias",
    "conv 3x3 2 stride 1x2, maxpool 2x3 stride 2",
  ])
  func textSurvivesReadingAndWriting(text: String) throws {
    let input = ImageShape(channels: 2, height: 12, width: 12)
    let architecture = try Architecture(input: input, parsing: text)
    #expect(try Architecture(input: input, parsing: architecture.text) == architecture)
    #expect(try Architecture(input: input, parsing: text.uppercased()) == architecture)
  }

  @Test(arguments: [
    ("", "layer 1 (): expected a layer, found nothing"),
    ("relu,", "layer 2 (): expected a layer, found nothing"),
    ("cnov 3x3 8", "layer 1 (cnov 3x3 8): there is no layer 'cnov'"),
    ("conv 3x3", "layer 1 (conv 3x3): expected a number of filters, found nothing"),
    ("conv 3y3 8", "layer 1 (conv 3y3 8): expected a kernel such as 3x3, found '3y3'"),
    ("conv 3x3x3 8", "expected a kernel such as 3x3"),
    ("dense 0", "expected a number of outputs, found '0'"),
    ("dense 10 wide", "layer 1 (dense 10 wide): 'wide' is not understood here"),
    ("dropout 1", "expected a rate from 0 to below 1, found '1'"),
    ("dropout nan", "expected a rate from 0 to below 1, found 'nan'"),
    ("maxpool 2, maxpool 15", "layer 2 (maxpool 15) after an output of 1×14×14: a 15x15 window does not fit"),
    ("relu, conv 29x29 1", "layer 2 (conv 29x29 1) after an output of 1×28×28: a 29x29 window does not fit"),
    ("conv 3x3 4 groups 3", "1 input channels do not divide into 3 groups"),
    ("conv 1x1 4, conv 3x3 6 groups 4", "6 filters do not divide into 4 groups"),
    ("dense 10000, dense 1000000", "layer 2 (dense 1000000) after an output of 10000: it would need more"),
    ("conv 3x3 8 stride 2 stride 3", "'stride' is given twice"),
    ("conv 10000x10000 1 same", "it would need more than 100 million values to work with"),
    ("conv 10000x10000 1000000 same", "more than 100 million values"),
  ])
  func aTextThatDoesNotFitSaysWhichLayerAndWhy(text: String, expected: String) throws {
    let error = #expect(throws: ArchitectureError.self) { try Architecture(input: digit, parsing: text) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [(0, 1, 1), (1, -1, 1), (1, 1, 1 << 23), (Int.max, 2, 2), (3, 1 << 20, 1 << 20)])
  func impossibleImagesAreRefused(channels: Int, height: Int, width: Int) {
    let input = ImageShape(channels: channels, height: height, width: width)
    #expect(throws: ArchitectureError.self) {
      try Architecture(input: input, parsing: "depthwise 1x1, dense 2")
    }
  }

  @Test func theOutputMustFitTheClasses() throws {
    let architecture = try Architecture(input: digit, parsing: "dense 10")
    try architecture.requireOutput(classes: 10)
    let error = #expect(throws: ArchitectureError.self) { try architecture.requireOutput(classes: 4) }
    #expect(error?.description.contains("end it with dense 4") == true)
  }

  @Test func summaryAddsUp() throws {
    let architecture = try Architecture(input: digit, parsing: Preset.lenet5.text(classes: 10))
    // 6·28·28·25, 16·10·10·150, 400·120, 120·84, 84·10.
    #expect(
      architecture.summary == """
            layer            output    parameters     MACs
            input            1×28×28
         1  conv 5x5 6 same  6×28×28          156  117,600
         2  relu             6×28×28
         3  maxpool 2        6×14×14
         4  conv 5x5 16      16×10×10       2,416  240,000
         5  relu             16×10×10
         6  maxpool 2        16×5×5
         7  dense 120        120           48,120   48,000
         8  relu             120
         9  dense 84         84            10,164   10,080
        10  relu             84
        11  dense 10         10               850      840
            total                          61,706  416,520
        """)
  }
}
