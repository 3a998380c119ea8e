import Inference

extension Network {
  var refusalThreshold: Float { 0 }
  var takesNormalizedInk: Bool {
    input.isInkHigh && input.extent.width == 28 && input.extent.height == 28 && input.extent.channels == 1
  }
}
