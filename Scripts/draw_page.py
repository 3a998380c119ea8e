"""Puts the page to draw on together from its parts, as inkling-export does, with a stand-in for the recogniser."""

import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
resources = root / "Sources/Interchange/WebPage/Resources"


def slim(text):
    """The text without indentation, comments that stand alone, and line ends where none is needed."""
    lines = []
    is_comment = False
    for line in map(str.strip, text.splitlines()):
        is_comment = is_comment or line.startswith("/*")
        if line and not is_comment and not line.startswith("//"):
            lines.append(line if line[-1] in "{;,(" else line + "\n")
        is_comment = is_comment and not line.endswith("*/")
    return "".join(lines)


def slim_style(text):
    """A style sheet, as above, and without the spaces that only make it readable."""
    text = slim(text)
    for spaced in ("; ", ": ", ", ", "{ "):
        text = text.replace(spaced, spaced[0])
    return text.replace(" {", "{").replace(" }", "}").replace(";}", "}").replace("}\n", "}")


def page(recognizer):
    """The page with the recogniser's script; without model or module."""
    names = sorted(path.name for path in resources.glob("*.js") if path.name not in ("recognizer.js", "start.js"))
    scripts = [(resources / name).read_text() for name in names]
    scripts += [recognizer, (resources / "start.js").read_text()]
    text = (resources / "draw.html").read_text()
    for place, filling in (("/* STYLE */", slim_style((resources / "draw.css").read_text())),
                           ("/* SCRIPT */", slim("\n".join(scripts))),
                           ("MODULE_BASE64", ""), ("MODEL_BASE64", "")):
        assert text.count(place) == 1, place
        text = text.replace(place, filling)
    return text


if __name__ == "__main__":
    stub = (root / "Tests/WebPage/recognizer.js").read_text()
    pathlib.Path(sys.argv[1]).write_text(page(stub))
