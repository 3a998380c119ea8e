import Arguments
import Programs
import Training

/// The options of `inkling-train`.
enum TrainOptions {
  enum OptimizerName: String, CaseIterable {
    case sgd, nesterov, adam, adamw

    /// What suits the presets where nothing is given.
    var usual: (learningRate: Float, weightDecay: Float) {
      switch self {
      case .sgd, .nesterov: (0.05, 0.0005)
      case .adam: (0.003, 0)
      case .adamw: (0.003, 0.3)
      }
    }
  }
  enum ScheduleName: String, CaseIterable { case constant, step, cosine, onecycle }

  static let data = DataOptions(.training)
  static let classNames = Option<String?>(
    "labels", value: "NAMES", otherwise: "labels.txt or *mapping*.txt in the folder, or the label values",
    help: "Class names: a list such as cat,dog, or a file with one name a line or EMNIST's mapping.")
  static let outliers = Option<String?>(
    "outliers", value: "FILES",
    help: "IDX files of images that show none of the classes, with commas: the network "
      + "learns to be sure of nothing there.")
  static let validation = Option<Int?>(
    "validation", value: "N", in: 0...Int.max, otherwise: "5000, but at most a tenth",
    help: "Training images set aside to choose the best epoch.")

  static let preset = Option<Preset?>(
    "preset", value: "NAME", otherwise: "lenet5, or the network of --init", help: "A network by name.")
  static let layers = Option<String?>(
    "layers", value: "TEXT", help: "A network as text: \"conv 3x3 32, relu, maxpool 2, dense 10\".")
  static let initial = Option<String?>(
    "init", value: "FILE",
    help:
      "Start from the weights of a checkpoint or run (fine-tuning), or of safetensors or .npz as PyTorch and NumPy "
      + "save them, with --layers or --preset; the last layer starts anew where the classes differ.")
  static let mean = Option<[Float]?>(
    "mean", value: "X", eachIn: -1_000...1_000,
    help:
      "With safetensors or .npz that were trained on (pixel/255 - mean)/std: the mean, or one a channel with commas."
  )
  static let deviation = Option<[Float]?>(
    "std", value: "X", eachIn: Above(0), help: "The standard deviation, or several, that --mean goes with.")
  static let initialization = Option(
    "initialization", value: "NAME", default: Initialization.he, help: "How fresh weights are drawn.")
  static let summary = Flag(
    "summary", help: "Print the table of layers, shapes, parameters and MACs, and end.")

  static let epochs = Option(
    "epochs", value: "N", default: 10, in: 1...100_000, help: "Passes over the training images.")
  static let batch = Option("batch", value: "N", default: 64, in: 1...65_536, help: "Images in a step.")
  static let optimizer = Option(
    "optimizer", value: "NAME", default: OptimizerName.adamw, help: "How a step follows from the gradient.")
  static let learningRate = Option<Float?>(
    "learning-rate", value: "X", in: Above(0),
    otherwise: "0.003 for adam and adamw, 0.05 for sgd and nesterov", help: "The highest learning rate.")
  static let momentum = Option<Float>(
    "momentum", value: "X", default: 0.9, in: 0..<1, help: "Momentum of sgd and nesterov.")
  static let weightDecay = Option<Float?>(
    "weight-decay", value: "X", in: 0...,
    otherwise: "0.3 for adamw, 0.0005 for sgd and nesterov, 0 for adam",
    help: "Pull of weights to 0, times the learning rate; biases are left alone.")
  static let clip = Option<Float?>(
    "clip", value: "NORM", in: Above(0), help: "The largest allowed norm of the gradient.")
  static let schedule = Option(
    "schedule", value: "NAME", default: ScheduleName.onecycle, help: "The learning rate over time.")
  static let stepEpochs = Option(
    "step-epochs", value: "N", default: 5, in: 1...100_000, help: "Epochs between steps of --schedule step.")
  static let stepFactor = Option<Float>(
    "step-factor", value: "X", default: 0.5, in: Above(0), help: "Factor at each step of --schedule step.")
  static let warmUp = Option<Float>(
    "warm-up", value: "EPOCHS", default: 0, in: 0...100_000,
    help: "Epochs, or part of one, in which the learning rate rises in front of the schedule.")
  static let average = Option<Float?>(
    "average", value: "DECAY", in: 0..<1, help: "Keep a moving average (EMA) of the weights and use that.")
  static let labelSmoothing = Option<Float>(
    "label-smoothing", value: "X", default: 0, in: 0..<1, help: "Share of the target spread over all classes."
  )
  static let balance = Flag("balance", help: "Weigh each class by the inverse of its frequency.")
  static let augment = Option(
    "augment", value: "TEXT", default: "none",
    help: "Random changes to each image: \"standard\", or some of \"rotate 10, shift 2, zoom 0.1, shear 5, "
      + "elastic 1.5, thickness 0.5, noise 0.02\".")
  static let patience = Option<Int?>(
    "patience", value: "N", in: 1...100_000, help: "End after so many epochs without a better validation.")
  static let seed = Option<UInt64>(
    "seed", value: "N", default: 1, in: 0...UInt64.max, help: "All randomness follows from it.")

  static let output = Option<String?>(
    "output", value: "DIR",
    otherwise: "runs/ and the preset's name, or runs/custom with --layers, runs/fine-tuned with --init",
    help: "The run folder to make.")
  static let resume = Option<String?>(
    "resume", value: "DIR",
    help: "Go on with the run in this folder, by its own settings; only --threads and "
      + "a new place of the data may be given besides.")

  static let report = Option<String?>(
    "report", value: "DIR",
    help: "Render the run in this folder as one HTML page, report.html in it, and end.")

  static let command = Command(
    "inkling-train", summary: "Trains a small image classifier on IDX files.",
    sections: [
      .init("Data", data.list + [classNames, outliers, validation]),
      .init("Network", [preset, layers, initial, mean, deviation, initialization, summary]),
      .init(
        "Training",
        [
          epochs, batch, optimizer, learningRate, momentum, weightDecay, clip, schedule, stepEpochs,
          stepFactor, warmUp, average, labelSmoothing, balance, augment, patience, seed, threadsOption,
        ]),
      .init("Run", [output, resume, report]),
    ],
    examples: [
      "inkling-train --data Data/mnist --preset lenet5 --epochs 10 --output runs/lenet5",
      "inkling-train --init mnist.safetensors --layers \"dense 128, relu, dense 10\"",
      "inkling-train --resume runs/lenet5",
      "inkling-train --report runs/lenet5",
    ])
}
