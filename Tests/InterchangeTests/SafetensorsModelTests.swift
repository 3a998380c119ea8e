import Datasets
import Foundation
import SampleNetworks
import Tensors
import Testing
import Training

@testable import Interchange

enum SampleFiles {
  static func checkpoint() throws -> Checkpoint {
    try SampleNetwork(
      layers: "conv 3x3 2 stride 2 same nobias, batchnorm, relu, maxpool 2, dropout 0.25, dense 3",
      shape: ImageShape(channels: 1, height: 8, width: 8)
    ).checkpoint()
  }
}

struct SafetensorsModelTests {
  @Test(arguments: SampleNetwork.all)
  func readsItsOwnFileBackWithoutFurtherWords(_ network: SampleNetwork) throws {
    let checkpoint = try network.checkpoint()
    let file = try WeightFile(bytes: try SafetensorsModel(checkpoint).bytes, path: "w")
    let architecture = try #require(try file.architecture())
    #expect(architecture == checkpoint.model.architecture)
    #expect(file.classNames == checkpoint.classes.names)
    #expect(try Model(architecture: architecture, weights: file).values == checkpoint.model.values)
  }

  @Test func namesArraysAsPyTorchWouldAndPutsTheWidestFirst() throws {
    var notes = ModelNotes(author: "A \"B\"", summary: "digits")
    notes.facts = [("accuracy", "98%"), ("format", "never this")]
    let model = try SafetensorsModel(SampleFiles.checkpoint(), storage: .float16, notes: notes)
    let file = try WeightFile(bytes: model.bytes, path: "w")
    // 0 is the padding that is wider at the bottom and the right.
    #expect(
      file.arrays.map(\.name) == [
        "2.weight", "2.bias", "2.running_mean", "2.running_var", "7.bias", "1.weight", "7.weight",
      ])
    #expect(file.skipped == ["2.num_batches_tracked"])
    #expect(
      file.metadata["inkling.torch"]
        == "torch.nn.Sequential(torch.nn.ZeroPad2d((0, 1, 0, 1)), "
        + "torch.nn.Conv2d(1, 2, 3, stride=2, bias=False), torch.nn.BatchNorm2d(2), torch.nn.ReLU(), "
        + "torch.nn.MaxPool2d(2, stride=2), torch.nn.Dropout(0.25), torch.nn.Flatten(), torch.nn.Linear(8, 3))"
    )
    #expect(file.metadata["author"] == "A \"B\"" && file.metadata["description"] == "digits")
    #expect(file.metadata["accuracy"] == "98%" && file.metadata["format"] == "pt")
    #expect(file.metadata["inkling.input"] == "1x8x8")
    #expect(file.metadata["inkling.classes"] == #"["class 0", "class 1", "class 2"]"#)
    let header = model.bytes.prefix(8).enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
    #expect(header % 8 == 0 && model.bytes.count == 8 + header + 8 + 4 * (4 * 2 + 3) + 2 * (18 + 24))
    #expect(
      model.bytes == (try SafetensorsModel(SampleFiles.checkpoint(), storage: .float16, notes: notes)).bytes)
  }

  @Test func halvesWeightsAlone() throws {
    let checkpoint = try SampleFiles.checkpoint()
    let file = try WeightFile(bytes: try SafetensorsModel(checkpoint, storage: .float16).bytes, path: "w")
    let model = try Model(architecture: checkpoint.model.architecture, weights: file)
    for slot in model.table.slots {
      let (half, whole) = (model[slot].elements, checkpoint.model[slot].elements)
      if slot.name == "weight" {
        #expect(half != whole)
        // Half precision keeps 11 bits.
        for (a, b) in zip(half, whole) { #expect(abs(a - b) <= 0x1p-11 * abs(b) + 0x1p-25) }
      } else {
        #expect(half == whole)
      }
    }
  }

  @Test func refusesWhatCannotBeStored() throws {
    var checkpoint = try SampleFiles.checkpoint()
    checkpoint.model.values[0] = 70_000
    _ = try SafetensorsModel(checkpoint)
    #expect(throws: InterchangeError.self) { try SafetensorsModel(checkpoint, storage: .float16) }
    checkpoint.model.values[0] = .nan
    #expect(throws: InterchangeError.self) { try SafetensorsModel(checkpoint) }
  }

  @Test(arguments: ["1x8", "1x0x8", "axbxc", "-1x-8", ""]) func sizesThatAreNone(input: String) throws {
    let bytes = try SafetensorsModel(SampleFiles.checkpoint()).bytes
    let text = String(decoding: bytes.prefix(4096), as: Unicode.ASCII.self)
    let range = try #require(text.range(of: "\"1x8x8\""))
    // The header keeps its length.
    let quoted = "\"\(input)\"".padding(toLength: 7, withPad: " ", startingAt: 0)
    let start = text.distance(from: text.startIndex, to: range.lowerBound)
    var changed = bytes
    changed.replaceSubrange(start..<start + 7, with: quoted.utf8)
    let file = try WeightFile(bytes: changed, path: "w")
    do throws(InterchangeError) {
      _ = try file.architecture()
      Issue.record("no error")
    } catch {
      #expect(error.description.contains("such as 1x28x28 as inkling.input, found '\(input)'"))
    }
  }

  @Test(arguments: [
    ("globalavgpool, dense 2", "AdaptiveAvgPool2d(1), Flatten(), Linear(1, 2)"),
    (
      "dense 6, batchnorm, conv 1x1 2",
      "Flatten(), Linear(64, 6), BatchNorm1d(6), Unflatten(1, (6, 1, 1)), Conv2d(6, 2, 1), Flatten()"
    ),
    ("flatten, dense 2 nobias, leakyrelu 0.25", "Flatten(), Linear(64, 2, bias=False), LeakyReLU(0.25)"),
    (
      "conv 3x5 4 same, depthwise 3x3, avgpool 1x2 stride 2",
      "Conv2d(1, 4, (3, 5), padding=(1, 2)), Conv2d(4, 4, 3, groups=4), AvgPool2d((1, 2), stride=2), Flatten()"
    ),
  ])
  func writesTheNetworkAsPython(layers: String, expected: String) throws {
    let architecture = try Architecture(input: ImageShape(channels: 1, height: 8, width: 8), parsing: layers)
    let text = TorchSequential(architecture).expression.replacing("torch.nn.", with: "")
    #expect(text == "Sequential(\(expected))")
  }
}
