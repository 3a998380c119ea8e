import Testing

@testable import Interchange

struct CTextTests {
  @Test(arguments: [
    ("digits", "digits"), ("my-digits.v2", "my_digits_v2"), ("__a__b", "a_b"), ("5digits", "network_5digits"),
    ("", "network"), ("größe", "gr_e"), ("int", "network_int"), ("INT8", "network_INT8"),
    ("uint_fast16", "network_uint_fast16"), ("while", "network_while"), ("数字", "network"), ("a/*b", "a_b"),
  ]) func aNameBecomesTheBeginningOfIdentifiers(name: String, expected: String) {
    #expect(CText.identifier(name) == expected)
  }

  @Test(
    arguments: [
      (1, "0x1p0f"), (-1.5, "-0x1.8p0f"), (0, "0.0f"), (-0.0, "-0.0f"), (0.1, "0x1.99999ap-4f"),
      (0x1.01p3, "0x1.01p3f"), (.greatestFiniteMagnitude, "0x1.fffffep127f"),
      (.leastNonzeroMagnitude, "0x0.000002p-126f"), (-0x1p-127, "-0x0.8p-126f"), (.infinity, "1.0f / 0.0f"),
    ] as [(Float, String)]) func numbersAreExact(value: Float, expected: String)
  {
    #expect(CText.number(value) == expected)
    // What C reads, Swift reads too, but for the suffix.
    if value.isFinite { #expect(Float(expected.dropLast())?.bitPattern == value.bitPattern) }
  }

  @Test func stringsHoldTheirBytes() {
    #expect(CText.string(#"a"\?ü"#, indentation: 0) == #""a\042\134\077\303\274""#)
  }

  @Test func arraysAreWrapped() {
    // Of elements with one character, 33 would make 100 columns.
    let lines = CText.array("float", "a", [String](repeating: "1", count: 66)).split(separator: "\n")
    #expect(lines.first == "static const float a[66] = {" && lines.last == "};")
    #expect(lines.map(\.utf8.count) == [28, 97, 97, 7, 2])
  }
}
