import Datasets
import Foundation
import PlainText
import Testing

@testable import Training

extension ProgramTests {
  struct InfoTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
    }

    /// What the program says of one file as JSON.
    private func object(_ file: String) throws -> [String: Any] {
      let outcome = try place.run(.info, [file, "--json"])
      try #require(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.split(separator: "\n").count == 1)
      return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private func train(_ more: [String] = []) throws {
      try place.train(
        [
          "--data", "data", "--layers", plain, "--epochs", "2", "--output", "run", "--labels",
          "top,left,both",
        ]
          + quick + more)
    }

    @Test func describesACheckpoint() throws {
      try train(["--average", "0.9"])
      let outcome = try place.run(.info, ["run", "run/last.ckpt"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let squeezed = outcome.output.replacing(/\ +/, with: " ")
      for expected in [
        "run/best.ckpt: checkpoint\n", "\n\nrun/last.ckpt: checkpoint\n",
        "\nclasses 3: 0 = top, 1 = left, 2 = both\n",
        "\nholds weights, without what training needs to go on\n",
        "weights, optimizer state, moving average: training can go on",
        "of 30 validation images", "\nwork ", "(MACs) for one image", "\ndata CRC-32 ",
        "moving average decay 0.9", "total",
      ] {
        #expect(squeezed.contains(expected), "\(expected)")
      }
      for line in outcome.output.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }

      let object = try object("run/last.ckpt")
      let checkpoint = try place.checkpoint("run/last.ckpt")
      #expect(object["kind"] as? String == "checkpoint" && object["file"] as? String == "run/last.ckpt")
      #expect(object["parameterCount"] as? Int == checkpoint.model.architecture.parameterCount)
      #expect(object["labels"] as? [String] == ["top", "left", "both"])
      #expect(object["byteCount"] as? Int == (try place.bytes("run/last.ckpt")).count)
      #expect((object["layers"] as? [[String: Any]])?.count == checkpoint.model.architecture.layers.count)
      #expect((object["configuration"] as? [String: Any])?["averageDecay"] as? Double != nil)
      #expect(object["epoch"] as? Int == 2 && object["isResumable"] as? Bool == true)
      #expect(object["weightsByteCount"] as? Int == 4 * checkpoint.model.architecture.parameterCount)
      let checksum = try #require(checkpoint.dataChecksum).hexadecimal
      #expect(object["dataChecksum"] as? String == checksum && outcome.output.contains(checksum))
      #expect(try self.object("run")["isResumable"] as? Bool == false)
    }

    /// Its state is nothing, so that whether there is some tells nothing.
    @Test func plainDescentCanGoOn() throws {
      try train(["--optimizer", "sgd", "--momentum", "0"])
      let last = try object("run/last.ckpt")
      #expect(last["holds"] as? [String] == ["weights"] && last["isResumable"] as? Bool == true)
      #expect(try place.run(.info, ["run/last.ckpt"]).output.contains("weights: training can go on"))
    }

    /// The names and the data's checksum stand on lines of their own, whatever the lengths.
    @Test func aLongPathAndLongNamesHideNothing() throws {
      let folder = String(repeating: "f", count: 100)
      let names = ["cat", "dog", "fox"].map { String(repeating: $0, count: 10) }
      try place.pictures(folder)
      try place.train(
        [
          "--data", folder, "--layers", "dense 3", "--epochs", "1", "--output", "run", "--labels",
          names.joined(separator: ","),
        ] + quick)
      let text = try place.run(.info, ["run"]).output
      let checksum = try #require(try place.checkpoint("run/best.ckpt").dataChecksum).hexadecimal
      for shown in names + [checksum] { #expect(text.contains(shown), "\(shown)") }
      for line in text.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
    }

    /// The classes of a network stand as those of its checkpoint do, beside the longer keys of its file.
    @Test func anInkFileNamesAllClasses() throws {
      let names = ["cat", "dog", "fox"].map { String(repeating: $0, count: 10) }
      try place.train(
        [
          "--data", "data", "--layers", "dense 3", "--epochs", "1", "--output", "run", "--labels",
          names.joined(separator: ","),
        ] + quick)
      let exported = try place.run(.export, ["--model", "run", "--output", "run.ink", "--data", "data"])
      try #require(exported.status == 0, "\(exported.errors)")
      let text = try place.run(.info, ["run.ink"]).output
      for (value, name) in names.enumerated() { #expect(text.contains("\(value) = \(name)"), "\(text)") }
      for line in text.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
      #expect(try object("run.ink")["labels"] as? [String] == names)
    }

    @Test func describesWhatOtherSystemsUse() throws {
      try train()
      for format in ["onnx", "safetensors", "coreml"] {
        let exported = try place.run(
          .export, ["--model", "run", "--output", "shapes.\(format)", "--format", format, "--data", "data"])
        try #require(exported.status == 0, "\(exported.errors)")
      }
      let outcome = try place.run(.info, ["shapes.onnx", "shapes.safetensors"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let squeezed = outcome.output.replacing(/\ +/, with: " ")
      for expected in [
        "operators opset 21, IR version 10\n", "input image: uint8, N×1×8×8\n", "output label: int64, N\n",
        "classNames [\"top\",\"left\",\"both\"]\n", " Gemm ", "\nnumbers ", "inkling.input 1x8x8\n",
      ] {
        #expect(squeezed.contains(expected), "\(expected)")
      }
      for line in outcome.output.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }

      let checkpoint = try place.checkpoint("run/best.ckpt")
      let weights = try object("shapes.safetensors")
      #expect(weights["parameterCount"] as? Int == checkpoint.model.architecture.parameterCount)
      let arrays = try #require(weights["arrays"] as? [[String: Any]])
      #expect(arrays.contains { $0["shape"] as? [Int] == [3] })
      let model = try object("shapes.onnx")
      let operators = try #require(model["nodes"] as? [[String: Any]]).compactMap {
        $0["operator"] as? String
      }
      #expect(operators.first == "Cast" && operators.suffix(2) == ["Softmax", "ArgMax"])

      let other = try place.run(.info, ["shapes.coreml"])
      #expect(other.status == 65 && other.errors.contains("a Core ML model"))
    }

    @Test func aLongPathHidesNoChecksum() throws {
      let folder = String(repeating: "long/", count: 20) + "data"
      try FileManager.default.createDirectory(
        atPath: "\(place.path)/\(folder)", withIntermediateDirectories: true)
      try place.pictures(folder)
      try place.train(["--data", folder, "--layers", plain, "--epochs", "1", "--output", "run"] + quick)
      let checksum = try #require(try object("run")["dataChecksum"] as? String)
      let text = try place.run(.info, ["run/"]).output
      #expect(
        text.hasPrefix("run/best.ckpt: checkpoint\n")
          && text.contains("\(checksum) (of images and labels)\n"))
      for line in text.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
    }

    @Test func describesIDXFiles() throws {
      let images = try object("data/t10k-images-idx3-ubyte")
      #expect(images["dimensions"] as? [Int] == [60, 8, 8] && images["holds"] as? String == "images")
      #expect(images["smallestValue"] as? Int != nil && images["contentByteCount"] as? Int == 60 * 64 + 16)
      let labels = try object("data/t10k-labels-idx1-ubyte")
      let counts = try #require(labels["labelCounts"] as? [[String: Any]])
      #expect(counts.map { $0["label"] as? Int } == [0, 1, 2] && counts.allSatisfy { $0["name"] is NSNull })
      #expect(counts.allSatisfy { $0["count"] as? Int == 20 })
      let text = try place.run(.info, ["data/t10k-labels-idx1-ubyte"]).output
      #expect(text.contains("holds       60 labels, 3 different\nof each     0: 20, 1: 20, 2: 20\n"))
      #expect(images["imageCount"] as? Int == 60 && images["channelCount"] as? Int == 1)
      #expect(images["heightPixels"] as? Int == 8 && images["widthPixels"] as? Int == 8)
      let picture = try place.run(.info, ["data/t10k-images-idx3-ubyte"]).output
      #expect(picture.contains("60 images of 8×8 pixels (height × width), 1 channel\n"))
    }

    @Test func namesBesideLabelsAreShown() throws {
      try place.write("top\nleft\nboth\n", to: "data/labels.txt")
      let text = try place.run(.info, ["data/t10k-labels-idx1-ubyte"]).output
      #expect(text.contains("0 = top: 20, 1 = left: 20, 2 = both: 20\n"))
      let counts = try object("data/t10k-labels-idx1-ubyte")["labelCounts"] as? [[String: Any]]
      #expect(counts?.map { $0["name"] as? String } == ["top", "left", "both"])
      // Names that do not fit are no reason to say nothing of the file.
      try place.write("top\n", to: "data/labels.txt")
      #expect(try place.run(.info, ["data/t10k-labels-idx1-ubyte"]).output.contains("0: 20, 1: 20"))
    }

    /// As the readers take two dimensions: rows of a square length are images, others begin with a label.
    @Test func tablesAreImagesOrLabels() throws {
      for (dimensions, expected) in [
        ([2, 9], "2 images of 3×3 pixels (height × width), 1 channel"),
        ([2, 8], "2 labels in the first of 8 columns, 1 different"), ([2, 1], "2 labels, 1 different"),
        ([1, 6, 5, 3], "1 image of 6×5 pixels (height × width), 3 channels"),
        ([2, 5, 2, 5], "an array of another shape than images or labels have"),
      ] {
        let payload = [UInt8](repeating: 7, count: dimensions.reduce(1, *))
        try IDX(elementType: .uint8, dimensions: dimensions, payload: payload).write(
          to: "\(place.path)/table")
        let text = try place.run(.info, ["table"]).output
        #expect(text.contains("holds       \(expected)\n"), "\(text)")
      }
    }

    /// Every NaN is different from every other: counted as labels they would be as many, and take quadratic time.
    @Test func whatIsNoNumberIsCounted() throws {
      let (nan, infinity, one): ([UInt8], [UInt8], [UInt8]) = (
        [0x7F, 0xC0, 0, 0], [0x7F, 0x80, 0, 0], [0x3F, 0x80, 0, 0]
      )
      let many = [[UInt8]](repeating: nan, count: 500)
      try IDX(
        elementType: .float32, dimensions: [502], payload: (many + [infinity, one]).flatMap(\.self)
      )
      .write(to: "\(place.path)/labels")
      let labels = try object("labels")
      #expect(labels["notNumberCount"] as? Int == 500 && labels["differentLabelCount"] as? Int == 2)
      let counts = try #require(labels["labelCounts"] as? [[String: Any]])
      #expect(counts.first?["label"] as? Int == 1 && counts.last?["label"] as? String == "inf")
      try IDX(elementType: .float32, dimensions: [1, 1, 2], payload: nan + one).write(
        to: "\(place.path)/images")
      #expect(try object("images")["meanValue"] as? Int == 1)
      let text = try place.run(.info, ["images"]).output
      #expect(text.contains("values       all 1\nnot numbers  1 element (NaN)\n"), "\(text)")
    }

    /// CRC-32 of "123456789" is the check value of that polynomial.
    @Test func rawAndGzipHaveTheSameChecksum() throws {
      let array = IDX(elementType: .uint8, dimensions: [9], payload: Array("123456789".utf8))
      try array.write(to: "\(place.path)/raw")
      try array.write(to: "\(place.path)/packed", gzip: true)
      #expect(try object("raw")["elementsChecksum"] as? String == "cbf43926")
      let packed = try object("packed")
      #expect(packed["elementsChecksum"] as? String == "cbf43926" && packed["isCompressed"] as? Bool == true)
    }

    @Test func manyLabelsDoNotFloodTheScreen() throws {
      let payload = (0..<70_000).flatMap { value in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
      }
      try IDX(elementType: .int32, dimensions: [70_000], payload: payload).write(to: "\(place.path)/many")
      let text = try place.run(.info, ["many"]).output
      #expect(text.contains("70,000 labels, 70,000 different") && text.contains(", …"))
      #expect(text.split(separator: "\n").count < 12)
    }

    @Test func oddShapesAreDescribedToo() throws {
      for (name, dimensions) in [
        ("none", [0]), ("flat", [3, 4]), ("deep", [Int](repeating: 1, count: 255)), ("no", [0, 28, 28]),
      ] {
        let count = dimensions.reduce(1, *)
        try IDX(elementType: .uint8, dimensions: dimensions, payload: [UInt8](repeating: 7, count: count))
          .write(to: "\(place.path)/\(name)")
        let outcome = try place.run(.info, [name])
        #expect(outcome.status == 0)
        for line in outcome.output.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
      }
      try IDX(elementType: .float32, dimensions: [1, 1, 1], payload: [0x7F, 0xC0, 0, 0]).write(
        to: "\(place.path)/nan")
      #expect(try object("nan")["meanValue"] is NSNull)
      // As labels: 1, NaN, infinity, NaN.
      let labels: [[UInt8]] = [
        [0x3F, 0x80, 0, 0], [0x7F, 0xC0, 0, 0], [0x7F, 0x80, 0, 0], [0x7F, 0xC0, 0, 0],
      ]
      try IDX(elementType: .float32, dimensions: [4], payload: labels.flatMap(\.self))
        .write(to: "\(place.path)/labels")
      let described = try object("labels")
      let counts = try #require(described["labelCounts"] as? [[String: Any]])
      #expect(counts.map { $0["count"] as? Int } == [1, 1] && counts[0]["label"] as? Int == 1)
      #expect(counts[1]["label"] as? String == "inf" && described["notNumberCount"] as? Int == 2)
    }

    @Test func whatIsUnknownOrDamagedIsAnErrorAndTheRestIsDescribed() throws {
      try train()
      var bytes = try place.bytes("run/best.ckpt")
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: "\(place.path)/damaged.ckpt"))
      try place.write("# A text", to: "text.md")
      try Data([1, 8, 0, 0, 1, 0, 0, 0, 7]).write(to: URL(fileURLWithPath: "\(place.path)/reversed"))
      for (file, status, expected) in [
        ("damaged.ckpt", 65, "the file is damaged"), ("nowhere", 66, "nothing at this path"),
        (
          "text.md", 65,
          "expected a checkpoint, an .ink file, weights as safetensors or .npz, an ONNX model or an IDX file, "
            + "raw or gzip, found text: \"# A text\""
        ),
        ("reversed", 65, "a byte-swapped (little-endian) header"),
        ("data", 66, "name a run folder or a .ckpt file"),
      ] as [(String, Int32, String)] {
        let outcome = try place.run(.info, [file, "data/t10k-labels-idx1-ubyte"])
        #expect(outcome.status == status && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(expected), "\(outcome.errors)")
        #expect(outcome.output.contains("60 labels"))
      }
      let both = try place.run(.info, ["nowhere", "text.md"])
      #expect(both.status == 65 && both.errorLines.count == 2 && both.output.isEmpty)
    }

    @Test func namesCannotSteerTheTerminal() throws {
      try place.write("top\n\u{1B}[31mleft\nboth\u{7}\n", to: "names.txt")
      try place.train(
        [
          "--data", "data", "--layers", "dense 3", "--epochs", "1", "--output", "run", "--labels",
          "names.txt",
        ] + quick)
      let outcome = try place.run(.info, ["run"])
      #expect(!outcome.output.contains("\u{1B}") && !outcome.output.contains("\u{7}"))
      #expect(outcome.output.contains("0 = top, 1 = ?[31mleft, 2 = both?"))
    }
  }
}
