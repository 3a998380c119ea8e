import Arguments
import Testing

@Suite struct OptionKindsTests {
  @Test func defaultsStandInForWhatIsNotGiven() throws {
    let arguments = try Sample.command.parse([])
    #expect(arguments[Sample.data] == "Data/digits")
    #expect(arguments[Sample.epochs] == 10)
    #expect(arguments[Sample.seed] == 1)
    #expect(arguments[Sample.rate] == 0.1)
    #expect(arguments[Sample.dropout] == 0.5)
    #expect(arguments[Sample.rule] == .adam)
    #expect(arguments[Sample.second] == nil)
    #expect(arguments[Sample.shift] == nil)
    #expect(arguments[Sample.patience] == nil)
    #expect(arguments[Sample.resume] == nil)
    #expect(!arguments[Sample.summary])
  }

  @Test func valuesOfEachKindAreRead() throws {
    let arguments = try Sample.command.parse([
      "--data", "a b", "--epochs", "100000", "--seed", "18446744073709551615", "--learning-rate", "1e-3",
      "--dropout", "0", "--shift", "-1.5", "--rule", "sgd", "--second-rule", "momentum", "--patience", "3",
      "--resume", "runs/x", "--summary",
    ])
    #expect(arguments[Sample.data] == "a b")
    #expect(arguments[Sample.epochs] == 100_000)
    #expect(arguments[Sample.seed] == .max)
    #expect(arguments[Sample.rate] == 0.001)
    #expect(arguments[Sample.dropout] == 0)
    #expect(arguments[Sample.shift] == -1.5)
    #expect(arguments[Sample.rule] == .sgd)
    #expect(arguments[Sample.second] == .momentum)
    #expect(arguments[Sample.patience] == 3)
    #expect(arguments[Sample.resume] == "runs/x")
    #expect(arguments[Sample.summary])
  }

  @Test(arguments: [
    "ten", "", "0", "100001", "1_000", "1,000", "1e3", "10.0", "0x10", " 5", "5 ", "-1", "٣",
    "99999999999999999999999",
  ])
  func wholeNumbersAreStrict(text: String) {
    #expect(
      complaint(Sample.command, "--epochs", text)
        == "--epochs: expected a whole number from 1 to 100000, found '\(text)'")
  }

  @Test(arguments: [
    "", "inf", "nan", "-inf", "0x1p3", "1e999", "1,5", " 1", "one", "1e", ".", "0", "-1", "1e-99",
  ])
  func numbersAreFiniteDecimalsInTheirBounds(text: String) {
    #expect(
      complaint(Sample.command, "--learning-rate", text)
        == "--learning-rate: expected a number above 0, found '\(text)'")
  }

  @Test func numbersStandInAListWithCommas() throws {
    let mean = Option<[Float]?>("mean", value: "X", eachIn: 0..., help: "The mean.")
    let command = Command(
      "list", summary: "Takes a list.", sections: [.init("Options", [mean])], examples: [])
    #expect(try command.parse(["--mean", "0.5,1e-1"])[mean] == [0.5, 0.1])
    #expect(try command.parse([])[mean] == nil)
    for text in ["", ",", "0.5,", "0.5,-1", "0.5 0.1", "nan"] {
      #expect(
        complaint(command, "--mean", text)
          == "--mean: expected a number of at least 0, or several with commas between, found '\(text)'")
    }
  }

  @Test func boundsAreNamed() {
    #expect(
      complaint(Sample.command, "--dropout", "1")
        == "--dropout: expected a number from 0 to below 1, found '1'")
    #expect(
      complaint(Sample.command, "--shift", "2.01") == "--shift: expected a number from -2 to 2, found '2.01'")
    let gain = Option<Double>("gain", value: "X", in: 0.5..., help: "")
    #expect(gain.expected == "a number of at least 0.5")
    #expect(gain.accepts("0.5") && !gain.accepts("0.49"))
  }

  @Test(arguments: ["Adam", "ada", "", "adam "])
  func choicesAreExact(text: String) {
    #expect(
      complaint(Sample.command, "--rule", text)
        == "--rule: expected one of sgd, momentum, adam, found '\(text)'")
  }

  @Test func emptyTextIsRefused() {
    #expect(complaint(Sample.command, "--data=") == "--data: expected DIR, found ''")
    #expect(complaint(Sample.command, "--resume", "") == "--resume: expected RUN, found ''")
  }

  @Test func aFormatOfOnesOwnServes() throws {
    let pair = ValueFormat<[Int]>(
      expected: "a size such as 28x28",
      read: { text in
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        return sides.count == 2
          ? sides.reduce([]) { all, side in side.flatMap { s in all.map { $0 + [s] } } } : nil
      }, text: { "\($0[0])x\($0[1])" })
    let size = Option("size", value: "WxH", default: [28, 28], format: pair, help: "Size.")
    let command = Command("c", summary: "", options: [size], examples: [])
    #expect(try command.parse(["--size", "3x4"])[size] == [3, 4])
    #expect(complaint(command, "--size", "3x") == "--size: expected a size such as 28x28, found '3x'")
    #expect(size.note == "default: 28x28")
  }
}
