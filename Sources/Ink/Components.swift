/// A connected group of stroke pixels.
struct Component {
  var left = Int.max
  var right = -1
  var top = Int.max
  var bottom = -1
  var area = 0
  /// The number of the digit that the group is a part of.
  var digit = 0

  /// 0 for a group of no pixels.
  var width: Int { area > 0 ? right - left + 1 : 0 }
  var height: Int { area > 0 ? bottom - top + 1 : 0 }

  mutating func join(_ other: Component) {
    (left, right) = (min(left, other.left), max(right, other.right))
    (top, bottom) = (min(top, other.top), max(bottom, other.bottom))
    area += other.area
  }

  /// Whether half of the columns of the narrower of both are columns of the other, too.
  func sharesColumns(with other: Component) -> Bool {
    let shared = min(right, other.right) - max(left, other.left) + 1
    return 2 * shared >= min(width, other.width)
  }

  mutating func include(_ x: Int, _ y: Int) {
    (left, right) = (min(left, x), max(right, x))
    (top, bottom) = (min(top, y), max(bottom, y))
    area += 1
  }
}

/// The connected groups of an ink map's strokes; pixels that touch at a corner belong together.
struct Components {
  let map: InkMap
  /// For each pixel the number of its group; -1 for paper.
  let labels: UnsafeMutablePointer<Int32>
  /// The groups, as many as `count` says.
  let groups: UnsafeMutablePointer<Component>
  private(set) var count = 0

  /// Of more groups than this the rest is treated as paper.
  static let most = 4096

  /// - Parameters:
  ///   - labels: a number for each pixel.
  ///   - stack: as many again.
  ///   - groups: `most` of them.
  init(
    _ map: InkMap, labels: UnsafeMutablePointer<Int32>, stack: UnsafeMutablePointer<Int32>,
    groups: UnsafeMutablePointer<Component>
  ) {
    self.map = map
    self.labels = labels
    self.groups = groups
    let (width, height) = (map.width, map.height)
    for place in 0..<width * height { labels[place] = -1 }
    for start in 0..<width * height {
      guard labels[start] < 0, map.pixels[start] >= InkMap.threshold else { continue }
      guard count < Self.most else {
        map.pixels[start] = 0
        continue
      }
      var component = Component()
      labels[start] = Int32(count)
      stack[0] = Int32(start)
      var depth = 1
      while depth > 0 {
        depth -= 1
        let place = Int(stack[depth])
        let (x, y) = (place % width, place / width)
        component.include(x, y)
        for row in max(0, y - 1)..<min(height, y + 2) {
          for column in max(0, x - 1)..<min(width, x + 2) {
            let next = row * width + column
            guard labels[next] < 0, map.pixels[next] >= InkMap.threshold else { continue }
            labels[next] = Int32(count)
            stack[depth] = Int32(next)
            depth += 1
          }
        }
      }
      (groups + count).initialize(to: component)
      count += 1
    }
  }

  /// Wipes out what is no part of a drawing: the frame around it and all outside that, and specks.
  mutating func clean() {
    if let frame = frame() {
      let (outer, index) = frame
      let inset = Self.frameThickness(outer)
      remove { component, place in
        place == index || component.left < outer.left + inset / 2 || component.right > outer.right - inset / 2
          || component.top < outer.top + inset / 2 || component.bottom > outer.bottom - inset / 2
      }
    }
    var largest = 0
    for index in 0..<count { largest = max(largest, groups[index].area) }
    remove { component, _ in component.area * Self.speckShare < largest }
  }

  /// A group smaller than the largest by this factor is a speck.
  private static let speckShare = 33

  private static func frameThickness(_ box: Component) -> Int { max(2, min(box.width, box.height) / 14) }

  /// A group that lies along the edges of its own box, on all four sides, with other groups inside: the lines of a
  /// form's field, of a sheet's edge, of a diagram's axes.
  private func frame() -> (Component, Int)? {
    for index in 0..<count {
      let box = groups[index]
      // Less cannot cover four sides, and is not worth going over: a long diagonal has a large box.
      guard box.width > 8, box.height > 8, box.area >= box.width + box.height,
        hasOther(inside: box, than: index)
      else { continue }
      let thickness = Self.frameThickness(box)
      var along = 0
      var (top, bottom, left, right) = (0, 0, 0, 0)
      for y in box.top...box.bottom {
        for x in box.left...box.right where labels[y * map.width + x] == Int32(index) {
          let (isTop, isBottom) = (y - box.top < thickness, box.bottom - y < thickness)
          let (isLeft, isRight) = (x - box.left < thickness, box.right - x < thickness)
          if isTop || isBottom || isLeft || isRight { along += 1 }
          if isTop { top += 1 }
          if isBottom { bottom += 1 }
          if isLeft { left += 1 }
          if isRight { right += 1 }
        }
      }
      if along * 100 >= box.area * 97, min(top, bottom) * 10 >= box.width * 7,
        min(left, right) * 10 >= box.height * 7
      {
        return (box, index)
      }
    }
    return nil
  }

  private func hasOther(inside box: Component, than index: Int) -> Bool {
    (0..<count).contains { other in
      let inner = groups[other]
      return other != index && inner.left > box.left && inner.right < box.right && inner.top > box.top
        && inner.bottom < box.bottom && inner.area >= 4
    }
  }

  private mutating func remove(_ isUnwanted: (Component, Int) -> Bool) {
    for index in 0..<count where groups[index].area > 0 && isUnwanted(groups[index], index) {
      let box = groups[index]
      for y in box.top...box.bottom {
        for x in box.left...box.right where labels[y * map.width + x] == Int32(index) {
          map.pixels[y * map.width + x] = 0
          labels[y * map.width + x] = -1
        }
      }
      groups[index] = Component()
    }
  }

  /// The box around all groups of a digit; nil if there is none.
  func bounds(of digit: Int) -> Component? {
    var bounds = Component()
    bounds.digit = digit
    for index in 0..<count where groups[index].area > 0 && groups[index].digit == digit {
      bounds.join(groups[index])
    }
    return bounds.area > 0 ? bounds : nil
  }

  /// Gives each digit of a line, from left to right, a number, and tells how many there are: groups whose columns overlap
  /// are parts of one, such as a five and its bar.
  mutating func numberDigits() -> Int {
    var digits = 0
    for _ in 0..<count {
      // The next group to the right of those that have a number.
      var next: Int?
      for index in 0..<count where groups[index].area > 0 && groups[index].digit == 0 {
        if next.map({ groups[index].left < groups[$0].left }) ?? true { next = index }
      }
      guard let next else { break }
      // Before the first digit the bounds would be those of all that have no number.
      let belongs = digits > 0 && bounds(of: digits)?.sharesColumns(with: groups[next]) == true
      if !belongs { digits += 1 }
      groups[next].digit = digits
    }
    return digits
  }
}
