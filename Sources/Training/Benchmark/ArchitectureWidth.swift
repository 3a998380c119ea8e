extension Architecture {
  /// The same network with so many times the filters and hidden units; the last layer, the classes, stays as it is.
  package func widened(by factor: Int) throws(ArchitectureError) -> Architecture {
    guard factor > 1 else { return self }
    let last = layers.lastIndex {
      switch $0 {
      case .convolution, .dense: true
      default: false
      }
    }
    let widened = layers.enumerated().map { position, layer in
      switch layer {
      case .convolution(var convolution) where position != last:
        convolution.filters *= factor
        return Layer.convolution(convolution)
      case .dense(var dense) where position != last:
        dense.outputs *= factor
        return .dense(dense)
      default: return layer
      }
    }
    return try Architecture(input: input, layers: widened)
  }
}
