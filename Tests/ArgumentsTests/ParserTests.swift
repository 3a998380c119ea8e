import Arguments
import Testing

@Suite struct ParserTests {
  @Test(arguments: [["--epochs", "3"], ["--epochs=3"]])
  func bothSpellingsOfAValueServe(arguments: [String]) throws {
    let parsed = try Sample.command.parse(arguments)
    #expect(parsed[Sample.epochs] == 3)
    #expect(parsed.isGiven(Sample.epochs))
    #expect(!parsed.isGiven(Sample.seed))
  }

  @Test func theDefaultValueCountsAsGiven() throws {
    #expect(try Sample.command.parse(["--epochs", "10"]).isGiven(Sample.epochs))
  }

  @Test(arguments: ["-1", "-.5", "-1e-1", "-0"])
  func negativeNumbersAreValues(text: String) throws {
    #expect(try Sample.command.parse(["--shift", text])[Sample.shift] == Double(text))
    #expect(try Sample.command.parse(["--shift=\(text)"])[Sample.shift] == Double(text))
  }

  @Test(arguments: ["a=b", "--epochs", "=", "\u{301}x", "-"])
  func anAttachedValueIsTakenAsItStands(text: String) throws {
    #expect(try Sample.command.parse(["--data=\(text)"])[Sample.data] == text)
  }

  @Test func operandsStandAnywhereAndAfterTwoDashes() throws {
    #expect(try Sample.predict.parse(["a", "--model", "m", "b"]).operands == ["a", "b"])
    #expect(try Sample.predict.parse(["--model", "m", "--", "--model", "--"]).operands == ["--model", "--"])
    #expect(try Sample.predict.parse(["--model", "-", "-", "-5"]).operands == ["-", "-5"])
  }

  @Test func aMissingValueSaysWhatIsExpected() {
    #expect(
      complaint(Sample.command, "--epochs")
        == "--epochs: expected a whole number from 1 to 100000, found nothing")
    #expect(complaint(Sample.command, "--data", "--epochs", "3") == "--data: expected DIR, found '--epochs'")
    #expect(complaint(Sample.command, "--data", "--") == "--data: expected DIR, found '--'")
    #expect(complaint(Sample.command, "--data", "-h") == "--data: expected DIR, found '-h'")
  }

  @Test func whatIsGivenTwiceIsRefused() {
    #expect(complaint(Sample.command, "--epochs=1", "--epochs", "1") == "--epochs is given twice")
    #expect(complaint(Sample.command, "--summary", "--summary") == "--summary is given twice")
  }

  @Test func flagsTakeNoValue() {
    #expect(complaint(Sample.command, "--summary=yes") == "--summary takes no value, found 'yes'")
    #expect(
      complaint(Sample.command, "--summary", "yes") == "unexpected argument 'yes'; sample takes options only")
  }

  @Test(arguments: [
    ("--epoch", "unknown option '--epoch'; did you mean --epochs?"),
    ("--epcohs=3", "unknown option '--epcohs'; did you mean --epochs?"),
    ("-epochs", "unknown option '-epochs'; did you mean --epochs?"),
    ("--sum", "unknown option '--sum'; did you mean --summary?"),
    ("--wibble-wobble", "unknown option '--wibble-wobble'"),
    ("-x", "unknown option '-x'"), ("---", "unknown option '---'"), ("--=3", "unknown option '--'"),
    ("--a\nb", "unknown option '--a b'"),
  ])
  func unknownOptionsAreNamed(argument: String, message: String) {
    #expect(complaint(Sample.command, argument) == message)
  }

  @Test func theNumberOfOperandsIsChecked() {
    #expect(complaint(Sample.predict, "--model", "m") == "expected IMAGE (at least 1), found none")
    #expect(
      complaint(Sample.predict, "--model=m", "a", "b", "c")
        == "unexpected argument 'c'; expected at most 2 (IMAGE)")
  }

  @Test func aRequiredOptionIsAskedFor() throws {
    #expect(complaint(Sample.predict, "a") == "--model: expected FILE, but it is not given")
    #expect(try Sample.predict.parse(["a", "--model", "m"])[Sample.model] == "m")
  }

  @Test func theErrorEndsWithWhereToLook() {
    #expect(throws: Sample.command.usageError("--epochs is given twice")) {
      try Sample.command.parse(["--epochs=1", "--epochs=1"])
    }
    #expect("\(Sample.command.usageError("no"))" == "no; see sample --help")
    #expect(Sample.command.usageError("no").exitStatus.rawValue == 64)
  }
}
