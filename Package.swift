// swift-tools-version: 6.3
import PackageDescription

// Where the C kernels are built. Elsewhere, such as on a microcontroller or in a browser, Inference runs its own loops.
let hosts: [Platform] = [.linux, .macOS, .iOS, .tvOS, .watchOS, .visionOS]

let package = Package(
  name: "inkling",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Inference", targets: ["Inference"]),
    .library(name: "Ink", targets: ["Ink"]),
    .library(name: "HostInference", targets: ["HostInference"]),
    .library(name: "Training", targets: ["Training", "Datasets", "Tensors"]),
    .library(name: "Interchange", targets: ["Interchange"]),
    .library(name: "Reports", targets: ["Reports"]),
    .executable(name: "inkling-train", targets: ["inkling-train"]),
    .executable(name: "inkling-evaluate", targets: ["inkling-evaluate"]),
    .executable(name: "inkling-benchmark", targets: ["inkling-benchmark"]),
    .executable(name: "inkling-predict", targets: ["inkling-predict"]),
    .executable(name: "inkling-export", targets: ["inkling-export"]),
    .executable(name: "inkling-info", targets: ["inkling-info"]),
    .executable(name: "inkling-dataset", targets: ["inkling-dataset"]),
  ],
  targets: [
    // System libraries. Accelerate stands in for the first two on Apple platforms.
    .systemLibrary(name: "CBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]),
    .systemLibrary(name: "CLAPACKE", pkgConfig: "lapacke", providers: [.apt(["liblapacke-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),

    // The library, each module importing only what stands above it.
    .target(name: "Kernels"),
    .target(
      name: "Inference", dependencies: [.target(name: "Kernels", condition: .when(platforms: hosts))],
      swiftSettings: [.define("INKLING_KERNELS", .when(platforms: hosts))]),
    .target(name: "Ink"),
    .target(name: "HostInference", dependencies: ["Inference"]),
    .target(name: "DigitsModelBytes"),
    .target(name: "DigitsModel", dependencies: ["DigitsModelBytes"]),
    .target(name: "Wire"),
    .target(name: "PlainText"),
    .target(name: "Charts", dependencies: ["PlainText"]),
    .target(name: "PNGDecoder", dependencies: ["CPNG"]),
    .target(name: "Images", dependencies: ["Ink", "CPNG", "PNGDecoder", "CTurboJPEG"]),
    .target(
      name: "Tensors",
      dependencies: [
        "Kernels",
        .target(name: "CBLAS", condition: .when(platforms: [.linux])),
        .target(name: "CLAPACKE", condition: .when(platforms: [.linux])),
      ]),
    .target(name: "Datasets", dependencies: ["PlainText", "Ink", "Images", "Tensors", "CZlib"]),
    .target(
      name: "Training",
      dependencies: ["Inference", "Kernels", "Tensors", "Datasets", "Wire", "PlainText", "Charts"]),
    .target(
      name: "Reports", dependencies: ["PlainText", "Charts", "Images", "Datasets", "Training"],
      resources: [.embedInCode("Resources")]),
    .target(
      name: "Interchange",
      dependencies: ["Inference", "Training", "PlainText", "Datasets", "Tensors", "Wire", "CZlib"],
      resources: [.embedInCode("WebPage/Resources")]),

    // The programs.
    .target(name: "Arguments", dependencies: ["PlainText"]),
    .target(name: "RuntimePrograms", dependencies: ["HostInference", "Arguments"]),
    .target(name: "Programs", dependencies: ["Training", "RuntimePrograms", "Arguments", "PlainText"]),
    .executableTarget(name: "inkling-train", dependencies: ["Programs", "Reports", "Interchange"]),
    .executableTarget(name: "inkling-evaluate", dependencies: ["Programs", "Reports"]),
    .executableTarget(name: "inkling-benchmark", dependencies: ["RuntimePrograms", "PlainText"]),
    .executableTarget(
      name: "inkling-predict", dependencies: ["RuntimePrograms", "DigitsModel", "Images", "PlainText"]),
    .executableTarget(name: "inkling-export", dependencies: ["Programs", "Interchange", "DigitsModel"]),
    .executableTarget(name: "inkling-info", dependencies: ["Programs", "Interchange", "Wire"]),
    .executableTarget(name: "inkling-dataset", dependencies: ["Programs", "Reports"]),

    // For those who work on the library.
    .executableTarget(
      name: "benchmark-ink", dependencies: ["DigitsModel", "HostInference", "Ink", "PlainText"]),
    .executableTarget(name: "benchmark-training", dependencies: ["Programs"]),

    // The loops once more, with the longest vectors, for the tests on machines without AVX-512.
    .target(name: "WideKernels", dependencies: ["Kernels"], path: "Tests/WideKernels"),
    .testTarget(name: "KernelsTests", dependencies: ["Kernels", "WideKernels", "Tensors"]),
    // No test depends on this program, lest its allocator be linked into all of them; they run it.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .executableTarget(
      name: "step-allocations", dependencies: ["Training", "AllocationCounter"],
      path: "Tests/step-allocations"),
    .executableTarget(
      name: "predict-allocations", dependencies: ["Inference", "Training", "AllocationCounter"],
      path: "Tests/predict-allocations"),
    // What WebAssembly and microcontrollers are held against by `make test-embedded`.
    .executableTarget(
      name: "plain-predictions", dependencies: ["HostInference"], path: "Tests/plain-predictions"),
    .executableTarget(
      name: "drawing-predictions", dependencies: ["HostInference", "Ink"], path: "Tests/drawing-predictions"),
    .testTarget(name: "PlainTextTests", dependencies: ["PlainText"]),
    .target(
      name: "SampleNetworks", dependencies: ["Inference", "Training"], path: "Tests/SampleNetworks"),
    .testTarget(
      name: "InferenceTests",
      dependencies: ["Inference", "HostInference", "Training", "SampleNetworks", "WideKernels"],
      exclude: ["Golden"]),
    .testTarget(
      name: "InterchangeTests",
      dependencies: [
        "Interchange", "HostInference", "Training", "SampleNetworks", "Datasets", "Tensors", "Wire",
      ]),
    .testTarget(name: "InkTests", dependencies: ["Ink"], resources: [.copy("Golden/drawings.json")]),
    .testTarget(
      name: "DigitsModelTests", dependencies: ["DigitsModel", "HostInference", "Ink", "Datasets"]),
    .testTarget(name: "ChartsTests", dependencies: ["Charts"]),
    .testTarget(name: "ImagesTests", dependencies: ["Images", "Ink", "CPNG", "CTurboJPEG"]),
    .testTarget(name: "ReportsTests", dependencies: ["Reports"]),
    .testTarget(name: "WireTests", dependencies: ["Wire"]),
    .testTarget(name: "TensorsTests", dependencies: ["Tensors"]),
    .testTarget(name: "DatasetsTests", dependencies: ["Datasets", "Images", "Ink"]),
    .testTarget(
      name: "TrainingTests", dependencies: ["Training", "PlainText"],
      resources: [.copy("Golden/networks.json")]),
    .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Training", "Interchange", "PlainText", "inkling-train", "inkling-evaluate", "inkling-info",
        "inkling-export",
        "inkling-benchmark", "inkling-dataset", "inkling-predict", "DigitsModel", "HostInference", "Images",
        "Ink",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
