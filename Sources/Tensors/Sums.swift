// Eight partial sums side by side: without them each addition waits for the one before, and one running
// Float sum would lose more bits. Raw pointers, since the values are parts of an arena.

/// The sum of `count` values.
public func sum(_ values: UnsafePointer<Float>, _ count: Int) -> Float {
  reduce(count, { load($0, of: values) }, { values[$0] })
}

/// The sum of products a[i] · (b[i] - center).
///
/// Subtracted value by value: Σ a · b - center · Σ a would cancel.
public func dot(
  _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, center: Float, _ count: Int
) -> Float {
  reduce(count, { load($0, of: a) * (load($0, of: b) - center) }, { a[$0] * (b[$0] - center) })
}

/// The sum of squared distances from `center`.
public func squaredDistance(
  _ values: UnsafePointer<Float>, from center: Float, _ count: Int
) -> Float {
  reduce(
    count,
    {
      let distance = load($0, of: values) - center
      return distance * distance
    },
    {
      let distance = values[$0] - center
      return distance * distance
    })
}

@inline(__always)
private func load(_ index: Int, of values: UnsafePointer<Float>) -> SIMD8<Float> {
  UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
private func reduce(
  _ count: Int, _ eight: (Int) -> SIMD8<Float>, _ one: (Int) -> Float
) -> Float {
  var sums = SIMD8<Float>(repeating: 0)
  var index = 0
  while index &+ 8 <= count {
    sums += eight(index)
    index &+= 8
  }
  var total = sums.sum()
  while index < count {
    total += one(index)
    index &+= 1
  }
  return total
}
