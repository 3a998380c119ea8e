#!/usr/bin/env python3
"""Compiles and runs the Swift examples of README.md and of the documentation, and compares what they print.

The ```swift blocks of a document, one after another, are one program; its ```text blocks, one after another, are all
that the program prints. In these "…" stands for any characters of a line, or alone for any number of lines. A document
without a ```text block may print what it likes. Every article has an example.

The programs are targets of a throwaway package that depends on Inkling by path and on nothing else, without any flag;
a warning of the build fails the test. They run in a folder of their own, in which Data is the repository's.

usage: test-examples.py [DOCUMENT...]
"""

import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

# Seconds that a program may run.
LIMIT = 300
ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = """\
// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "examples", platforms: [.macOS(.v15)], dependencies: [.package(name: "inkling", path: "%s")],
  targets: [%s])
"""
# The library products that examples import.
PRODUCTS = ", ".join(
    f'.product(name: "{name}", package: "inkling")'
    for name in ("Training", "Interchange", "Reports", "HostInference", "Ink"))
TARGET = f'.executableTarget(name: "%s", dependencies: [{PRODUCTS}])'


class Example:
    """A document's program and what it prints."""

    def __init__(self, path):
        self.path = path
        self.name = f"example-{path.stem}"
        self.program = []
        self.output = []
        self.has_output = False
        kind = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.startswith("```"):
                kind = line[3:].strip() or "other" if kind is None else None
                if kind == "swift":
                    # Messages of the compiler then name the document and its line.
                    self.program.append(f'#sourceLocation(file: "{path}", line: {number + 1})')
                if kind == "text":
                    if not self.program:
                        fail(f"{path}:{number}: expected a ```swift block before this output, found none")
                    self.has_output = True
            elif kind == "swift":
                self.program.append(line)
            elif kind == "text":
                self.output.append(line)

    def matches(self, lines):
        """Whether these lines are what the document says."""
        pattern = ""
        for line in self.output:
            if line == "…":
                pattern += r"(?:.*\n)*"
            else:
                pattern += ".*".join(map(re.escape, line.split("…"))) + r"\n"
        return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


def fail(message):
    sys.exit(f"test-examples: {message}")


def build(examples, package):
    """Builds all programs at once, and returns the folder that they are in."""
    for example in examples:
        sources = package / "Sources" / example.name
        sources.mkdir(parents=True)
        (sources / "main.swift").write_text("\n".join(example.program) + "\n")
    targets = ", ".join(TARGET % example.name for example in examples)
    (package / "Package.swift").write_text(MANIFEST % (ROOT, targets))
    # A line at a time, since it takes a minute or so.
    command = ["swift", "build", "-c", "release", "--package-path", package]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    warnings = []
    for line in process.stdout:
        print(line, end="", flush=True)
        if "warning:" in line:
            warnings.append(line)
    if process.wait() != 0:
        fail("the examples do not build")
    if warnings:
        fail(f"the build warns: {warnings[0]}")
    return package / ".build" / "release"


def run(example, programs, folder):
    """Runs one program; returns what is wrong, if anything is."""
    folder.mkdir()
    (folder / "Data").symlink_to(ROOT / "Data")
    try:
        result = subprocess.run(
            [programs / example.name], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"runs for more than {LIMIT} s"
    if result.returncode != 0:
        return f"ends with status {result.returncode}:\n{result.stdout}{result.stderr}"
    lines = result.stdout.splitlines()
    if example.has_output and not example.matches(lines):
        changes = difflib.unified_diff(example.output, lines, "the document says", "the program prints", lineterm="")
        return "prints something else:\n" + "\n".join(changes)
    return None


def main(arguments):
    documents = [pathlib.Path(path).resolve() for path in arguments]
    if not documents:
        documents = [ROOT / "README.md", *sorted(ROOT.glob("Sources/*/*.docc/*.md"))]
    examples = []
    for document in documents:
        example = Example(document)
        if example.program:
            examples.append(example)
        elif document.stem != document.parent.stem:
            fail(f"{document}: expected a ```swift block, found none; every article has an example")
    if not examples:
        fail("no examples found")
    with tempfile.TemporaryDirectory() as work:
        package = pathlib.Path(work) / "examples"
        programs = build(examples, package)
        failures = 0
        for example in examples:
            trouble = run(example, programs, pathlib.Path(work) / example.name)
            print(f"test-examples: {example.path.relative_to(ROOT)}: {trouble or 'right'}", flush=True)
            failures += trouble is not None
    if failures:
        fail(f"{failures} of {len(examples)} examples are wrong")
    print(f"test-examples: {len(examples)} examples are right")


main(sys.argv[1:])
