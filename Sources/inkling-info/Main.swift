import Arguments
import Datasets
import Programs
import Training

enum InfoOptions {
  static let json = Flag("json", help: "Print one JSON object a file, each on a line of its own.")

  static let command = Command(
    "inkling-info", summary: "Says what a file that Inkling reads or writes is and what it holds.",
    operands: Operands(
      "FILE", count: 1...Int.max,
      help:
        "A checkpoint, a run folder, of which the best checkpoint is taken, an .ink file, weights as safetensors or .npz, "
        + "an ONNX model, or an IDX file, raw or gzip."
    ),
    options: [json],
    examples: ["inkling-info runs/lenet5 Data/mnist-5k/t10k-images-idx3-ubyte.gz"])
}

@main
enum Main {
  static func main() {
    InfoOptions.command.run { arguments in
      var failure: FileError?
      for (index, operand) in arguments.operands.enumerated() {
        do throws(FileError) {
          let path = try RunFolder.modelPath(operand)
          let description = try FileKind.describe(path)
          if arguments[InfoOptions.json] {
            print(try description.json(path: path))
          } else {
            print((index == 0 ? "" : "\n") + description.text(path: path))
          }
        } catch {
          // The others are described all the same; the last error gives the status.
          if let failure { Terminal.writeError("inkling-info: \(failure)\n") }
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }
}
