/// The C of the pools, in the order of the runtime's `maximumPool` and `averagePool`.
extension CFunction {
  func maximumPoolText(_ values: Values) -> String {
    """
    /* The largest value of each window. */
    static void \(name)(
        const struct pool *layer, const \(values.type) *restrict input, \(values.type) *restrict output) {
    \(Self.eachWindow(
      of: values.type,
      """
      \(values.type) largest = window[0];
      for (int32_t wy = 0; wy < layer->window_height; wy++) {
        for (int32_t wx = 0; wx < layer->window_width; wx++) {
          const \(values.type) value = window[wy * layer->width + wx];
          largest = value > largest ? value : largest;
        }
      }
      *output++ = largest;
      """))
    }
    """
  }

  /// Loops over all windows with statements for each, which find its first value at `window`.
  private static func eachWindow(of type: String, _ statements: String) -> String {
    let indented = statements.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n")
    return """
        for (int32_t channel = 0; channel < layer->channels; channel++) {
          const \(type) *image = input + channel * layer->height * layer->width;
          for (int32_t y = 0; y < layer->rows; y++) {
            for (int32_t x = 0; x < layer->columns; x++) {
              const \(type) *window = image + y * layer->down * layer->width + x * layer->across;
      \(indented)
            }
          }
        }
      """
  }

  static let averagePoolText = """
    /* The mean of each window. */
    static void average_pool(
        const struct pool *layer, const float *restrict input, float *restrict output) {
      const float count = (float)(layer->window_height * layer->window_width);
    \(eachWindow(
      of: "float",
      """
      float sum = 0;
      for (int32_t wy = 0; wy < layer->window_height; wy++) {
        for (int32_t wx = 0; wx < layer->window_width; wx++) {
          sum += window[wy * layer->width + wx];
        }
      }
      *output++ = sum / count;
      """))
    }
    """

  static let poolTypeText = """
    /* From channels x height x width values to channels x rows x columns. */
    struct pool {
      int32_t channels, height, width;
      int32_t rows, columns;
      int32_t window_height, window_width;
      int32_t down, across; /* the stride */
    };
    """
}
