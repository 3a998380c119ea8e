// Vectors read from and written to where `Float`s lie, at any alignment.

extension UnsafePointer<Float> {
  @inline(__always)
  var four: SIMD4<Float> { UnsafeRawPointer(self).loadUnaligned(as: SIMD4<Float>.self) }

  /// The bits of two values.
  @inline(__always)
  var pair: Double { UnsafeRawPointer(self).loadUnaligned(as: Double.self) }
}

extension UnsafeMutablePointer<Float> {
  @inline(__always)
  var four: SIMD4<Float> { UnsafePointer(self).four }

  @inline(__always)
  func store(_ values: SIMD4<Float>) {
    UnsafeMutableRawPointer(self).storeBytes(of: values, as: SIMD4<Float>.self)
  }
}
