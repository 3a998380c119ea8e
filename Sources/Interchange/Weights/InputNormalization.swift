import PlainText
import Tensors
import Training

/// What was done to pixels from 0 to 1 before a network saw them: (x - mean) / deviation, channel by channel.
///
/// PyTorch's `transforms.Normalize((0.1307,), (0.3081,))` is
/// `InputNormalization(mean: [0.1307], deviation: [0.3081])`.
public struct InputNormalization: Hashable, Sendable {
  /// One for all channels, or one a channel.
  public var mean: [Float]
  /// The same; each is above 0.
  public var deviation: [Float]

  public init(mean: [Float], deviation: [Float]) {
    self.mean = mean
    self.deviation = deviation
  }

  /// The values for each of so many channels.
  func channels(_ count: Int) throws(InterchangeError) -> (mean: [Float], deviation: [Float]) {
    func spread(_ values: [Float], _ name: String) throws(InterchangeError) -> [Float] {
      guard values.count == 1 || values.count == count else {
        throw InterchangeError(
          "\(name): expected one number or \(count), as many as the images have channels, found \(values.count)"
        )
      }
      return values.count == count ? values : Array(repeating: values[0], count: count)
    }
    let (mean, deviation) = (try spread(mean, "mean"), try spread(deviation, "standard deviation"))
    guard deviation.allSatisfy({ $0 > 0 && $0.isFinite }), mean.allSatisfy(\.isFinite) else {
      throw InterchangeError(
        "expected finite means and standard deviations above 0, found \(mean) and \(deviation)")
    }
    return (mean, deviation)
  }
}

extension LoweredNetwork {
  /// The network that normalises its input by itself first, after the scaling that it has.
  ///
  /// Zeros around the image are those of normalised values, as in PyTorch. Throws an `InterchangeError` for deviations
  /// that are not above 0, or another number than one a channel.
  public func taking(normalizedBy normalization: InputNormalization) throws(InterchangeError)
    -> LoweredNetwork
  {
    let (mean, deviation) = try normalization.channels(input.extent.channels)
    let (factors, shifts) = (deviation.map { 1 / $0 }, zip(mean, deviation).map { -$0 / $1 })
    var network = self
    let isUniform = Set(factors).count == 1 && Set(shifts).count == 1
    if isUniform {
      network.input.scale /= deviation[0]
      network.input.offset = (input.offset - mean[0]) / deviation[0]
    }
    guard (factors + shifts + [network.input.scale, network.input.offset]).allSatisfy(\.isFinite) else {
      throw InterchangeError(
        "expected standard deviations that leave finite pixels, found \(deviation); give larger ones")
    }
    if isUniform { return network }
    // Channels that differ: a factor and a shift for each, in front of all else.
    for column in [factors, shifts] {
      network.tensors.append(Matrix(rows: column.count, columns: 1, values: column, isWeight: false))
    }
    network.operations.insert(.affine(scale: tensors.count, shift: tensors.count + 1), at: 0)
    return network
  }
}

extension Model {
  /// The model that computes of pixels from 0 to 1 what this one computes of normalised ones.
  ///
  /// Where the first layer is dense or a `valid` convolution, the normalisation is folded into its weights
  /// and bias, and it gets a bias if it has none. Elsewhere a batch normalisation with the given statistics
  /// comes in front: zeros that `same` puts around an image mean the mean after normalisation, but black
  /// before it, so that no weights of the convolution would do.
  ///
  /// Throws an `InterchangeError` for deviations that are not above 0, or another number than one a channel.
  public func taking(normalizedBy normalization: InputNormalization) throws(InterchangeError) -> Model {
    let input = architecture.input
    let (mean, deviation) = try normalization.channels(input.channels)
    let first = architecture.layers.firstIndex { if case .flatten = $0 { false } else { true } }
    switch first.map({ architecture.layers[$0] }) {
    case .dense(let layer):
      return folded(
        into: first ?? 0, biased: .dense(Dense(outputs: layer.outputs)), mean, deviation,
        taps: input.planeCount,
        groups: 1)
    case .convolution(var layer) where layer.padding == .valid:
      // Nothing is in front of it, since a flat image of one pixel a channel would be taken for channels.
      guard first == 0 else { return try normalizing(mean, deviation) }
      layer.hasBias = true
      return folded(
        into: 0, biased: .convolution(layer), mean, deviation, taps: layer.kernel.height * layer.kernel.width,
        groups: layer.groups)
    default:
      return try normalizing(mean, deviation)
    }
  }

  /// W (x - m) / s + b = (W / s) x + (b - W m / s). Rows of weights are [channels of the group, taps].
  private func folded(
    into position: Int, biased layer: Layer, _ mean: [Float], _ deviation: [Float], taps: Int, groups: Int
  ) -> Model {
    var layers = architecture.layers
    layers[position] = layer
    guard let architecture = try? Architecture(input: architecture.input, layers: layers) else { return self }
    var result = Model(
      architecture: architecture, values: Array(repeating: 0, count: ParameterTable(architecture).count))
    for slot in result.table.slots {
      guard let own = table.slots.first(where: { $0.layer == slot.layer && $0.name == slot.name }) else {
        continue
      }
      result.values.replaceSubrange(slot.range, with: values[own.range])
    }
    let slots = result.table.slots.filter { $0.layer == position }
    guard let weight = slots.first(where: { $0.name == "weight" }),
      let bias = slots.first(where: { $0.name == "bias" })
    else { return self }
    let rows = weight.shape[0]
    let rowCount = weight.range.count / rows
    let groupChannels = rowCount / taps
    for row in 0..<rows {
      let firstChannel = row / (rows / groups) * groupChannels
      // In double precision: a black image's sums cancel almost wholly.
      var shift = 0.0
      for column in 0..<rowCount {
        let channel = firstChannel + column / taps
        let index = weight.range.lowerBound + row * rowCount + column
        let scaled = Double(result.values[index]) / Double(deviation[channel])
        shift += scaled * Double(mean[channel])
        result.values[index] = Float(scaled)
      }
      let index = bias.range.lowerBound + row
      result.values[index] = Float(Double(result.values[index]) - shift)
    }
    return result
  }

  /// The model with a batch normalisation in front whose running statistics are the given ones.
  private func normalizing(_ mean: [Float], _ deviation: [Float]) throws(InterchangeError) -> Model {
    // Batch normalisation adds 1e-5 to the variance, which has to be more than that.
    let variance = deviation.map { Float(Double($0) * Double($0) - 1e-5) }
    guard variance.allSatisfy({ $0 > 0 }) else {
      throw InterchangeError(
        "expected standard deviations of pixels from 0 to 1, above 0.0032, found \(deviation); were they trained on "
          + "pixels from 0 to 255?")
    }
    let layers = [Layer.batchNormalization(BatchNormalization())] + architecture.layers
    guard let architecture = try? Architecture(input: architecture.input, layers: layers) else {
      throw InterchangeError("the network would be too large with a batch normalisation in front")
    }
    var result = Model(
      architecture: architecture, values: Array(repeating: 0, count: ParameterTable(architecture).count))
    for slot in result.table.slots {
      switch (slot.layer, slot.name) {
      case (0, "scale"): result[slot] = Tensor(shape: slot.shape, elements: mean.map { _ in 1 })
      case (0, "shift"): result[slot] = Tensor(shape: slot.shape, elements: mean.map { _ in 0 })
      case (0, "runningMean"): result[slot] = Tensor(shape: slot.shape, elements: mean)
      case (0, _):
        result[slot] = Tensor(shape: slot.shape, elements: variance)
      default:
        guard let own = table.slots.first(where: { $0.layer == slot.layer - 1 && $0.name == slot.name })
        else { continue }
        result.values.replaceSubrange(slot.range, with: values[own.range])
      }
    }
    return result
  }
}
