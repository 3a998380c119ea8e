import Inference

/// The C of the layers that have weights, in the order of the runtime's `ConvolutionLoop` and `DenseLoop`.
extension CFunction {
  func convolutionText(_ type: TensorType, _ arithmetic: Arithmetic) -> String {
    let values = arithmetic.input
    let sums = arithmetic == .floats ? "" : "int32_t *restrict sums, "
    let plane =
      arithmetic == .floats ? "    float *sums = output + filter * plane;\n" : ""
    return """
      /* A convolution: for each filter and each of its \(type.cName) weights a whole plane at a time. */
      static void \(name)(
          const struct convolution *layer, const \(values.type) *restrict input,
          \(sums)\(arithmetic.output.type) *restrict output) {
        const int32_t plane = layer->rows * layer->columns;
        const int32_t depth = layer->channels / layer->groups;
        const int32_t columns = depth * layer->kernel_height * layer->kernel_width;
        const int32_t row_length = \(type.cRowLength);
        for (int32_t filter = 0; filter < layer->filters; filter++) {
          const \(type.cType) *row = (const \(type.cType) *)layer->weights + filter * row_length;
          const int32_t group = filter / (layer->filters / layer->groups);
      \(plane)\
          for (int32_t i = 0; i < plane; i++) sums[i] = 0;
          for (int32_t ky = 0; ky < layer->kernel_height; ky++) {
            for (int32_t kx = 0; kx < layer->kernel_width; kx++) {
              for (int32_t channel = 0; channel < depth; channel++) {
                const int32_t column = (channel * layer->kernel_height + ky) * layer->kernel_width + kx;
                const int32_t image = (group * depth + channel) * layer->height * layer->width;
                \(Self.meet(values).name)(layer, \(type.cElement("column", for: values)), ky, kx, input + image, sums);
              }
            }
          }
      \(finish(type, arithmetic, index: "filter"))
          for (int32_t i = 0; i < plane; i++) {
            const float value = \(value(type, arithmetic, sum: "sums[i]"));
            output[filter * plane + i] = \(handedOn(arithmetic));
          }
        }
      }
      """
  }

  func denseText(_ type: TensorType, _ arithmetic: Arithmetic) -> String {
    let values = arithmetic.input
    return """
      /* A matrix of \(type.cName) weights times a vector. */
      static void \(name)(
          const struct dense *layer, const \(values.type) *restrict input, \
      \(arithmetic.output.type) *restrict output) {
        const int32_t columns = layer->inputs;
        const int32_t row_length = \(type.cRowLength);
        for (int32_t index = 0; index < layer->outputs; index++) {
          const \(type.cType) *row = (const \(type.cType) *)layer->weights + index * row_length;
      \(values == .floats ? Self.eightSums(type) : "    int32_t i = 0, sum = 0;")
          for (; i < columns; i++) sum += \(type.cElement("i", for: values)) * input[i];
      \(finish(type, arithmetic, index: "index"))
          const float value = \(value(type, arithmetic, sum: "sum"));
          output[index] = \(handedOn(arithmetic));
        }
      }
      """
  }

  /// Eight sums over every eighth input, and these by halves, as far as eight inputs are left: as the runtime's vectors.
  private static func eightSums(_ type: TensorType) -> String {
    """
        float sums[8] = {0};
        int32_t i = 0;
        for (; i + 8 <= columns; i += 8) {
          for (int32_t lane = 0; lane < 8; lane++) {
            const int32_t column = i + lane;
            sums[lane] += \(type.cElement("column", for: .floats)) * input[column];
          }
        }
        for (int32_t half = 4; half > 0; half /= 2) {
          for (int32_t lane = 0; lane < half; lane++) sums[lane] += sums[lane + half];
        }
        float sum = sums[0];
    """
  }

  /// Defines the factor and the shift of one output.
  private func finish(_ type: TensorType, _ arithmetic: Arithmetic, index: String) -> String {
    let shift = "    const float shift = layer->shifts ? layer->shifts[\(index)] : 0.0f;"
    return type.hasScales ? "    const float factor = layer->factors[\(index)];\n\(shift)" : shift
  }

  /// The expression for what a sum stands for.
  private func value(_ type: TensorType, _ arithmetic: Arithmetic, sum: String) -> String {
    let number = arithmetic == .floats ? sum : "(float)\(sum)"
    return type.hasScales ? "\(number) * factor + shift" : "\(number) + shift"
  }

  /// The expression for what becomes of that value.
  private func handedOn(_ arithmetic: Arithmetic) -> String {
    arithmetic.output == .bytes ? "to_byte(value)" : "activate(value, layer->activation, layer->slope)"
  }

  func meetText(_ values: Values) -> String {
    """
    /* Adds a weight times the pixels of a channel that it meets to the sums of a filter: what is
     * outside the image is left out. */
    static void \(name)(
        const struct convolution *layer, \(values.sum) weight, int32_t ky, int32_t kx,
        const \(values.type) *restrict image, \(values.sum) *restrict sums) {
      const struct span ys = reach(layer->height, layer->rows, layer->down, ky - layer->top);
      const struct span xs = reach(layer->width, layer->columns, layer->across, kx - layer->left);
      for (int32_t y = ys.first; y < ys.end; y++) {
        const int32_t from = (y * layer->down + ky - layer->top) * layer->width + kx - layer->left;
        \(values.sum) *to = sums + y * layer->columns;
        for (int32_t x = xs.first; x < xs.end; x++) to[x] += weight * image[from + x * layer->across];
      }
    }
    """
  }

  static let reachText = """
    struct span { int32_t first, end; };

    /* The outputs whose pixel, output * stride + shift, lies within the inputs. */
    static struct span reach(int32_t inputs, int32_t outputs, int32_t stride, int32_t shift) {
      struct span span = {0, 0};
      if (shift < 0) span.first = (-shift + stride - 1) / stride;
      if (shift < inputs) span.end = (inputs - 1 - shift) / stride + 1;
      if (span.end > outputs) span.end = outputs;
      return span;
    }
    """

  static let convolutionTypeText = """
    /* From channels x height x width values to filters x rows x columns. */
    struct convolution {
      int32_t channels, height, width;
      int32_t filters, rows, columns;
      int32_t kernel_height, kernel_width;
      int32_t down, across; /* the stride */
      int32_t top, left; /* zeros above the image and to its left */
      int32_t groups;
      const void *weights; /* filters x (channels / groups x kernel_height x kernel_width) */
      const float *factors; /* of each filter's sums; null where weights are floats */
      const float *shifts; /* added to them; null where there are none */
      enum activation activation;
      float slope; /* of a leaky rectifier */
    };
    """

  static let denseTypeText = """
    struct dense {
      int32_t inputs, outputs;
      const void *weights; /* outputs x inputs */
      const float *factors; /* of each sum; null where weights are floats */
      const float *shifts; /* added to them; null where there are none */
      enum activation activation;
      float slope; /* of a leaky rectifier */
    };
    """
}

extension TensorType {
  /// Whether each row of numbers has a scale.
  fileprivate var hasScales: Bool { self == .int8 || self == .int4 }
}
