import Inference

extension Network {
  var takesNormalizedInk: Bool {
    input.isInkHigh && input.extent.width == 28 && input.extent.height == 28 && input.extent.channels == 1
  }
}
