import PlainText
import Testing

struct TextTableTests {
  @Test func wordsStandLeftAndNumbersRight() {
    var table = TextTable([.left, .right, .left])
    table.add(["class", "images", "note"])
    table.add(["お", "1,000", ""])
    #expect(table.text == "class  images  note\nお      1,000")
  }

  @Test func theFlexibleColumnGivesWay() {
    var table = TextTable([.right, .left, .right], flexible: 1, limit: 20)
    table.add(["1", "a name that is far too long", "12,345"])
    table.add(["2", "short", "6"])
    #expect(table.text == "1  a name t…  12,345\n2  short           6")
  }

  @Test func aColumnKeepsEightColumnsHoweverNarrowTheTable() {
    var table = TextTable([.left, .right], flexible: 0, limit: 10)
    table.add(["a name that is far too long", "12,345,678"])
    #expect(table.text == "a name …  12,345,678")
  }
}
