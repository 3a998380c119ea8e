#if INKLING_KERNELS
  import Kernels

  // Whole-number arithmetic by the kernels for floats. A float holds every whole number up to 2^24, so a sum of products
  // of bytes is exact, in whatever order and fused or not, as long as no partial sum can pass that. Requantisation is
  // then the same float operations as in the plain loops: the results are the same bits.

  enum WholeNumbers {
    private static let limit = 1 << 24
    /// The sum of two exact parts is rounded once, as the float of an int32 sum is; that of three would be twice.
    static let mostParts = 2

    /// In how many parts a row's sums have to be taken for each to stay exact; nil if more than `most` are needed.
    static func parts(_ weights: WeightTensor, largestInput: Int, step: Int, most: Int) -> Int? {
      (1...most).first { parts in
        let length = partLength(weights.columns, parts, step: step)
        return (0..<weights.rows).allSatisfy { row in
          stride(from: 0, to: weights.columns, by: length).allSatisfy { start in
            var sum = 0
            for column in start..<min(weights.columns, start + length) {
              sum += Int(weights.integer(row, column).magnitude)
            }
            return sum * largestInput <= limit
          }
        }
      }
    }

    /// The columns of a part, a multiple of `step`.
    static func partLength(_ columns: Int, _ parts: Int, step: Int) -> Int {
      ((columns + parts - 1) / parts + step - 1) / step * step
    }

    /// Whether a network has whole-number operations, and all of them can be done so.
    static func suits(_ steps: [Step], _ network: Network) -> Bool {
      let hasAny = steps.contains { step in
        switch step.operation {
        case .convolution(let convolution): convolution.integers != nil
        case .dense(let dense): dense.integers != nil
        default: false
        }
      }
      return hasAny
        && steps.allSatisfy { step in
          let largest = step.inputStorage == .pixels ? 255 : 127
          switch step.operation {
          case .convolution(let convolution) where convolution.integers != nil:
            return parts(network.tensor(convolution.weights), largestInput: largest, step: 1, most: 1) != nil
          case .dense(let dense) where dense.integers != nil:
            return parts(
              network.tensor(dense.weights), largestInput: largest, step: Int(INKLING_DENSE_STEP),
              most: mostParts)
              != nil
          default: return true
          }
        }
    }
  }

  /// From sums, as whole numbers in floats, to what an integer operation hands on; in place.
  struct PreparedRequantization {
    private let factors: UnsafePointer<Float>
    private let shifts: UnsafePointer<Float>
    private let channels: Int
    private let activation: Operation.Activation
    private let isStored: Bool
    /// Whether a larger sum never gives less, so that the maximum may be taken before.
    let isMonotone: Bool
    /// Values of a channel.
    var plane: Int

    init(
      _ integers: Operation.IntegerScales, weights: WeightTensor, bias: WeightTensor?,
      _ activation: Operation.Activation, plane: Int, _ network: PreparedNetwork
    ) {
      channels = weights.rows
      self.activation = activation
      self.plane = plane
      isStored = integers.output > 0
      let (factors, shifts) = (
        network.take(channels, of: Float.self), network.take(channels, of: Float.self)
      )
      var isMonotone = true
      let rule = Requantization(integers, activation)
      for channel in 0..<channels {
        factors[channel] = rule.factor(weightScale: weights.scale(of: channel))
        shifts[channel] = rule.shift(bias: bias.map { $0.number(channel, 0) } ?? 0)
        isMonotone = isMonotone && factors[channel] >= 0
      }
      if case .leaky(let slope) = activation, slope < 0 { isMonotone = false }
      self.isMonotone = isMonotone
      self.factors = UnsafePointer(factors)
      self.shifts = UnsafePointer(shifts)
    }

    var outputCount: Int { channels * plane }

    func run(_ values: UnsafeMutablePointer<Float>) {
      for channel in 0..<channels {
        let (factor, shift) = (factors[channel], shifts[channel])
        let row = values + channel * plane
        if isStored {
          for index in 0..<plane {
            let value = row[index] * factor + shift
            let rounded = (value + 12_582_912) - 12_582_912
            row[index] = value > 0 ? (value < 127 ? rounded : 127) : 0
          }
        } else {
          for index in 0..<plane { row[index] = activation(row[index] * factor + shift) }
        }
      }
    }
  }
#endif
