/// The name that is most likely meant, or nil where none is near enough to be a slip.
///
/// Near are names that the text begins, and those within 1 edit up to 3 characters, 2 up to 7, else 3.
package func nearest(to text: String, among names: [String]) -> String? {
  let typed = Array(text.lowercased())
  // No name is as long as this; the distance costs the product of both lengths.
  guard (2...40).contains(typed.count) else { return nil }
  let ranked = names.map { (name: $0, edits: editDistance(typed, Array($0))) }
  let limit = 1 + min(typed.count, 8) / 4
  if let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= limit { return best.name }
  return names.first { $0.hasPrefix(text) }
}

/// The fewest insertions, deletions, substitutions and swaps of neighbours that make one text the other, no part
/// being edited twice (optimal string alignment).
func editDistance(_ first: [Character], _ second: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for (i, a) in first.enumerated() {
    var row = [i + 1]
    for (j, b) in second.enumerated() {
      var edits = min(last[j] + (a == b ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a == second[j - 1], b == first[i - 1] {
        edits = min(edits, beforeLast[j - 1] + 1)
      }
      row.append(edits)
    }
    (beforeLast, last) = (last, row)
  }
  return last[second.count]
}
