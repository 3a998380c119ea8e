import Arguments

@main
enum Main {
  static func main() {
    CommandGroup(
      "inkling-dataset", summary: "Makes data sets of pictures and drawings, and says what is in one.",
      commands: [
        .init(PackCommand.command, PackCommand.run), .init(InfoCommand.command, InfoCommand.run),
        .init(ShowCommand.command, ShowCommand.run),
        .init(JoinCommand.command, JoinCommand.run),
      ],
      examples: [
        "inkling-dataset pack photos --output packed",
        "inkling-dataset info packed",
        "inkling-dataset show packed --output sheet.png",
      ]
    ).run()
  }
}
