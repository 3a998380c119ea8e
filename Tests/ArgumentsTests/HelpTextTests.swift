import Testing

@testable import Arguments

@Suite struct HelpTextTests {
  @Test func everyOptionStandsThereWithItsDefault() {
    let expected = """
      Shows every kind of option.

      Usage: sample [options]

      Data:
        --data DIR              Folder with the pictures and their labels. (default:
                                Data/digits)
        --seed N                Seed of all chance. (default: 1)
        --dropout P             Share of units left out. (default: 0.5)
        --shift X               Pixels to the right. (default: none)

      Training:
        --epochs N              Passes over the data. (default: 10)
        --learning-rate R       Size of a step. (default: 0.1)
        --rule NAME             How weights are updated. (sgd, momentum, adam;
                                default: adam)
        --second-rule NAME      The rule after half the epochs. (sgd, momentum, adam;
                                default: none)
        --patience N            Epochs without progress. (default: none)
        --resume RUN            A run to go on with. (default: none)
        --summary               Print the layers and stop.

      General:
        -h, --help              Print this help.
        --version               Print the version.

      Example:
        sample --data Data/digits --epochs 3

      """
    #expect(Sample.command.helpText == expected)
  }

  @Test func requiredOptionsAndOperandsStandInTheUsage() {
    let lines = Sample.predict.helpText.split(separator: "\n")
    #expect(lines.contains("Usage: predict --model FILE [options] IMAGE"))
    #expect(lines.contains("  IMAGE                   Pictures to classify."))
    #expect(lines.contains("  --model FILE            The model. (required)"))
    let any = Command(
      "any", summary: "", operands: Operands("FILE", count: 0...Int.max, help: ""), options: [], examples: [])
    #expect(any.helpText.contains("Usage: any [options] [FILE ...]\n"))
  }

  @Test func aLongNameHasItsOwnLine() {
    let long = Flag("a-name-that-takes-more-room", help: String(repeating: "word ", count: 30))
    let lines = Command("c", summary: "", options: [long], examples: []).helpText.split(separator: "\n")
    #expect(lines.contains("  --a-name-that-takes-more-room"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func linesBreakBetweenWords() {
    #expect(wrap("", columns: 10) == [])
    #expect(wrap("aaa bbb  ccc\nddd", columns: 7) == ["aaa bbb", "ccc ddd"])
    #expect(wrap("aaa bbb", columns: 6) == ["aaa", "bbb"])
    #expect(wrap("a bbbbbbbb c", columns: 4) == ["a", "bbbbbbbb", "c"])
  }
}
