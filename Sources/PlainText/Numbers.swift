// Numbers as people read them, without Foundation: programs that only predict start faster without it.

extension BinaryInteger {
  /// The decimal digits with a comma between thousands: 1234567 is "1,234,567".
  package var groupedDigits: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// A count of things: "1 image", "60,000 images".
  package func of(_ thing: String) -> String {
    "\(groupedDigits) \(thing)\(self == 1 ? "" : "s")"
  }
}

extension BinaryFloatingPoint {
  /// The number with so many decimals, 0 to 15, and commas between thousands; a tie goes to the even digit.
  ///
  /// What no 64-bit integer holds, such as infinity, is written as Swift describes it.
  package func fixed(_ decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (Double(self) * Double(scale)).rounded(.toNearestOrEven)
    guard scaled.magnitude < 0x1p62 else { return "\(Double(self))" }
    let (whole, rest) = Int(scaled.magnitude).quotientAndRemainder(dividingBy: scale)
    let sign = scaled < 0 ? "-" : ""
    if decimals == 0 { return sign + whole.groupedDigits }
    let digits = String(rest)
    return "\(sign)\(whole.groupedDigits).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
  }

  /// The number with three significant digits or all those before the point: 0.00123, 1.23, 12.3, 123, 1,234.
  ///
  /// For what is measured, where more digits would be noise. Below 0.0001 as 1.23e-5, where zeros would be counted.
  package var threeDigits: String {
    var decimals = 2
    var size = magnitude
    while size < 0.9995, size > 0 { (size, decimals) = (size * 10, decimals + 1) }
    if decimals > 6 { return "\(self < 0 ? "-" : "")\(size.fixed(2))e-\(decimals - 2)" }
    while size >= 9.995, decimals > 0 { (size, decimals) = (size / 10, decimals - 1) }
    return fixed(decimals)
  }

  /// A fraction as a percentage: two decimals from 10,000 images on, one below.
  ///
  /// With 10,000 images one of them is 0.01%; more decimals than that would pretend to know more.
  /// Only all reads as 100% and only nothing as 0%: what rounds to them becomes ">99.9%" or "<0.1%".
  package func percent(images: Int) -> String {
    let decimals = images >= 10_000 ? 2 : 1
    let step = decimals == 2 ? 0.01 : 0.1
    let percent = Double(self) * 100
    if percent > 0 && percent < step / 2 { return "<\(step.fixed(decimals))%" }
    if percent < 100 && percent >= 100 - step / 2 { return ">\((100 - step).fixed(decimals))%" }
    return "\(percent.fixed(decimals))%"
  }
}
