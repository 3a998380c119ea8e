import Inference

extension CFunction {
  /// The definition, behind a comment.
  var text: String {
    switch self {
    case .convolution(let type, let arithmetic): convolutionText(type, arithmetic)
    case .dense(let type, let arithmetic): denseText(type, arithmetic)
    case .meet(let values): meetText(values)
    case .reach: Self.reachText
    case .convolutionType: Self.convolutionTypeText
    case .denseType: Self.denseTypeText
    case .poolType: Self.poolTypeText
    case .maximumPool(let values): maximumPoolText(values)
    case .averagePool: Self.averagePoolText
    case .activationType:
      """
      enum activation { no_activation, rectifier, leaky_rectifier };
      """
    case .activate:
      """
      /* What a layer does to a sum before it hands it on. */
      static float activate(float value, enum activation activation, float slope) {
        if (activation == no_activation || value > 0) return value;
        return activation == rectifier ? 0.0f : value * slope;
      }
      """
    case .activation:
      """
      static void activate_all(float *values, int32_t count, enum activation activation, float slope) {
        for (int32_t i = 0; i < count; i++) values[i] = activate(values[i], activation, slope);
      }
      """
    case .toFloats:
      """
      /* The values that bytes stand for. */
      static void to_floats(const uint8_t *bytes, int32_t count, float scale, float offset,
                            float *restrict values) {
        for (int32_t i = 0; i < count; i++) values[i] = (float)bytes[i] * scale + offset;
      }
      """
    case .toByte:
      """
      /* Rounded half to even and limited to 0...127, which makes it a rectifier too. */
      static uint8_t to_byte(float value) {
        if (!(value > 0)) return 0;
        if (!(value < 127)) return 127;
        /* Adding 1.5 * 2^23 leaves no room for a fraction: the addition rounds. */
        return (uint8_t)((value + 12582912.0f) - 12582912.0f);
      }
      """
    case .half:
      """
      /* The value of a half-precision number by its bits. */
      static float from_half(uint16_t half) {
        union { uint32_t bits; float value; } number;
        const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
        const uint32_t exponent = half >> 10 & 0x1F, fraction = half & 0x3FF;
        if (exponent == 0) {
          number.value = (float)fraction * 0x1p-24f;
          number.bits |= sign;
        } else {
          number.bits = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
        }
        return number.value;
      }
      """
    case .nibble:
      """
      /* The number of 4 bits at an index: two in a byte, the first in the low half, -8 to 7. */
      static int32_t nibble(const uint8_t *bytes, int32_t index) {
        return (int32_t)((bytes[index / 2] >> (index % 2 * 4) & 15) ^ 8) - 8;
      }
      """
    case .exponential:
      """
      /* e^x for x <= 0, within 2e-7 of its value; below -87, where it is hardly more than 0, that. */
      static float exponential(float x) {
        union { uint32_t bits; float value; } power_of_two;
        if (!(x > -87)) return x == x ? 0.0f : x;
        /* e^x = 2^n * e^r, with n the whole number nearest to x / ln 2. */
        const float n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;
        /* ln 2 in two parts; the product of n and the first is exact. */
        const float r = (x - n * 0.693359375f) + n * 2.1219444e-4f;
        /* Taylor's series of e^r. */
        float power = 1.0f / 5040;
        power = power * r + 1.0f / 720;
        power = power * r + 1.0f / 120;
        power = power * r + 1.0f / 24;
        power = power * r + 1.0f / 6;
        power = power * r + 0.5f;
        power = power * r + 1;
        power = power * r + 1;
        power_of_two.bits = (uint32_t)((int32_t)n + 127) << 23;
        return power * power_of_two.value;
      }
      """
    case .softmax:
      """
      /* e^x of each value over the sum of all; less the largest value, so that nothing overflows. */
      static void softmax(float *values, int32_t count) {
        float largest = values[0], sum = 0;
        for (int32_t i = 1; i < count; i++) {
          if (values[i] > largest) largest = values[i];
        }
        for (int32_t i = 0; i < count; i++) {
          values[i] = exponential(values[i] - largest);
          sum += values[i];
        }
        for (int32_t i = 0; i < count; i++) values[i] = values[i] / sum;
      }
      """
    case .affine:
      """
      /* Each channel times its factor plus its shift. */
      static void affine(float *values, int32_t channels, int32_t plane, const float *factors,
                         const float *shifts) {
        for (int32_t i = 0; i < channels * plane; i++) {
          values[i] = values[i] * factors[i / plane] + shifts[i / plane];
        }
      }
      """
    }
  }
}
