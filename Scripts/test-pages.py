"""Checks pages in headless Chromium; run by test-pages.sh, which makes them."""

import html.parser
import json
import pathlib
import re
import subprocess
import sys

work = pathlib.Path(sys.argv[1])


class Page(html.parser.HTMLParser):
    """The page after its script ran: each section's cards, and all text."""

    def __init__(self, path, fragment=""):
        super().__init__()
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                   "--virtual-time-budget=3000", "--dump-dom", f"file://{path}{fragment}"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        complaints = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
        assert not complaints, f"{path}: the browser's console says {complaints[:3]}"
        self.section = ""
        self.cards = {}
        self.chosen = []
        self.tags = []
        self.text = ""
        self.feed(result.stdout)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        if tag == "section":
            self.section = attributes["id"]
        if attributes.get("id") == "gallery":
            self.section = "gallery"
        if tag == "figure":
            self.cards.setdefault(self.section, 0)
            self.cards[self.section] += 1
        if attributes.get("aria-pressed") == "true":
            self.chosen.append(attributes["data-cell"])

    def handle_data(self, data):
        self.text += data


evaluation = json.loads((work / "evaluation.json").read_text())
comparison = json.loads((work / "comparison.json").read_text())
matrix = evaluation["confusionMatrix"]
truth, prediction = max(
    ((t, p) for t in range(10) for p in range(10) if t != p), key=lambda cell: matrix[cell[0]][cell[1]])
count = matrix[truth][prediction]

page = Page(work / "report.html")
mistakes = evaluation["count"] - evaluation["correct"]
assert page.cards["mistakes"] == min(24, mistakes), page.cards
assert page.cards["unsure"] == 24, page.cards
assert page.cards["comparison"] == sum(min(24, len(comparison[key])) for key in ("onlyFirst", "onlySecond"))
assert "gallery" not in page.cards and not page.chosen

page = Page(work / "report.html", f"#{truth}-{prediction}")
assert page.cards["gallery"] == min(40, count), page.cards
assert page.chosen == [f"{truth}-{prediction}"], page.chosen
assert re.search(rf"{truth} taken for {prediction}: {count} image", page.text)

page = Page(work / "run/report.html")
assert page.tags.count("svg") == 1 and page.tags.count("polyline") == 5, page.tags
assert "img" in page.tags and "4,000" not in page.text and "3,600 to train on" in page.text

page = Page(work / "run/learning-curve.svg")
assert page.tags.count("polyline") == 5

print(f"test-pages: {truth} taken for {prediction} shows {count} pictures; four pages, no complaint")
