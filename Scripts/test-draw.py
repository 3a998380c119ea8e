"""Draws on the page in headless Chromium, and looks at what it makes of it: tools, history, files, pictures, widths.

    python3 Scripts/test-draw.py PAGE.html [--screenshots FOLDER] [--only NAME]
"""

import json
import struct
import subprocess
import zlib

from draw_test import (browser, drawing, folder, fresh, hand, open_file, run_tests, saved_as, shoot, strokes, text, tool)
from hand import CONTROL, SHIFT, circle, line

# A horizontal stroke from 300 to 600 and one below it, within the sheet at 1280 × 800.
UPPER, LOWER = line((300, 200), (600, 200)), line((300, 320), (600, 320))
SEVEN = line((340, 160), (520, 160)) + line((520, 160), (400, 420))[1:]


def png(width, height, color=(90, 160, 220)):
    """A PNG of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(color) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def png_size(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


def count(selector):
    return browser.run(f"document.querySelectorAll({selector!r}).length")


def xs(stroke):
    return [point[0] for point in stroke["points"]]


def alpha_or_ink(selector):
    """How many pixels of the canvas are not blank."""
    # Read from a copy, since a canvas that was once read from is painted in another way.
    return browser.run(f"(c => {{ const copy = new OffscreenCanvas(c.width, c.height).getContext('2d', "
                       f"{{willReadFrequently: true}}); copy.drawImage(c, 0, 0); return copy.getImageData(0, 0, c.width, "
                       f"c.height).data.filter((v, i) => i % 4 === 3 && v > 0).length }})(document.querySelector({selector!r}))")


def test_undo():
    fresh()
    assert browser.run("document.querySelector('[data-do=undo]').disabled")
    hand.drag(UPPER)
    hand.drag(LOWER)
    assert len(strokes()) == 2
    hand.key("z", CONTROL)
    assert len(strokes()) == 1
    hand.click("[data-do=undo]")
    assert drawing() is None and text("#answer b") == "Draw a digit"
    hand.key("Z", CONTROL | SHIFT)
    hand.key("y", CONTROL)
    assert len(strokes()) == 2
    hand.click("[data-do=clear]")
    assert drawing() is None
    hand.key("z", CONTROL)
    assert len(strokes()) == 2
    # Not half a stroke: undoing while the pen is down leaves the stroke out.
    hand.drag(line((300, 400), (500, 400)), lifts=False)
    hand.key("z", CONTROL)
    hand.lift((500, 400))
    assert drawing() is None or len(strokes()) < 2


def test_tools():
    fresh()
    hand.drag(UPPER)
    tool("marker")
    hand.click("#colors button:nth-child(2)")
    hand.drag(LOWER)
    tool("pencil")
    browser.run("(r => { r.value = 5; r.dispatchEvent(new Event('input')) })(document.querySelector('#width'))")
    hand.drag(line((300, 420), (600, 420)))
    first, second, third = strokes()
    assert (first["tool"], first["color"], first["width"]) == ("pen", "#1a1a1a", 9)
    assert (second["tool"], second["color"]) == ("marker", "#2459c9")
    assert (third["tool"], third["width"]) == ("pencil", 5)
    assert abs(first["points"][0][2] - 0.5) < 0.01 and first["points"][-1][3] >= 0
    assert browser.run("read.strokes") == 3
    hand.key("p")
    hand.pen(line((300, 500), (600, 500)), [0.1 + 0.06 * i for i in range(13)])
    pressures = [point[2] for point in strokes()[-1]["points"]]
    assert pressures[0] < 0.2 and pressures[-1] > 0.7, pressures
    shoot("tools")


def test_pen_only():
    fresh()
    hand.click("[data-do=penOnly]")
    hand.drag(UPPER)
    hand.fingers(LOWER)
    assert drawing() is None
    hand.pen(UPPER, [0.5] * 13)
    assert len(strokes()) == 1
    # A palm at once after the pen neither draws nor moves the sheet.
    hand.click("[data-do=penOnly]")
    hand.pen(LOWER, [0.5] * 13)
    hand.fingers(line((300, 500), (400, 500)))
    assert len(strokes()) == 2
    browser.run("new Promise(done => setTimeout(done, 600))")
    hand.fingers(line((300, 500), (400, 500)))
    assert len(strokes()) == 3


def test_view():
    fresh()
    hand.fingers(line((300, 300), (200, 300)), line((400, 300), (500, 300)))
    assert text("#scale") == "300%", text("#scale")
    assert drawing() is None
    hand.key("0")
    hand.wheel((400, 300), 0, -100, CONTROL)
    assert 120 < int(text("#scale")[:-1]) < 170, text("#scale")
    hand.click("[data-do=zoomReset]")
    assert text("#scale") == "100%"
    # What is under the pointer stays there.
    hand.drag([(400, 300), (400, 300)])
    hand.wheel((400, 300), 0, -100, CONTROL)
    hand.drag([(400, 300), (400, 300)])
    before, after = (stroke["points"][0] for stroke in strokes())
    assert abs(before[0] - after[0]) < 1 and abs(before[1] - after[1]) < 1, (before, after)
    hand.key("Delete", SHIFT)
    hand.key("0")
    hand.click("[data-do=zoomIn]")
    assert text("#scale") == "125%"
    hand.key("-")
    assert text("#scale") == "100%"
    hand.key("f")
    hand.drag(line((300, 200), (500, 200)))
    start = xs(strokes()[0])[0]
    # The sheet goes 40 to the left with the wheel, 100 to the right with Space, 50 with the middle button.
    hand.wheel((400, 300), 40, 0)
    hand.key_down(" ")
    hand.drag(line((400, 400), (500, 400)))
    hand.key_up(" ")
    hand.drag(line((400, 400), (450, 400)), button="middle")
    tool("hand")
    hand.drag(line((400, 400), (410, 400)))
    tool("pen")
    hand.drag(line((300, 300), (500, 300)))
    first, second = strokes()
    assert abs(start - xs(second)[0] - 120) < 1, (start, xs(second)[0])


def test_erasers():
    fresh()
    hand.drag(UPPER)
    hand.drag(LOWER)
    tool("eraser")
    hand.drag(line((450, 150), (450, 250)))
    left, right, other = strokes()
    # The circle's radius 12 and half of the ink's 9 on each side.
    gap = min(xs(right)) - max(xs(left))
    assert 32 < gap < 34, gap
    assert len(xs(other)) == 13
    hand.key("z", CONTROL)
    assert len(strokes()) == 2
    hand.click("[data-do=eraseStrokes]")
    hand.drag(line((450, 150), (450, 250)))
    assert len(strokes()) == 1
    hand.key("E")
    # Past both ends nothing is taken, and nothing is to be undone.
    hand.drag(line((200, 500), (210, 500)))
    hand.key("z", CONTROL)
    assert len(strokes()) == 2
    shoot("eraser")


def test_lasso():
    fresh()
    hand.drag(UPPER)
    hand.drag(LOWER)
    tool("lasso")
    around = [(280, 160), (620, 160), (620, 240), (280, 240), (280, 160)]
    hand.drag([point for a, b in zip(around, around[1:]) for point in line(a, b, 4)])
    shoot("lasso")
    assert browser.run("read.strokes") == 1, "the selection alone is read"
    hand.drag(line((450, 200), (450, 260)))
    first, second = strokes()
    assert abs(first["points"][0][1] - second["points"][0][1] + 60) < 1
    hand.key("z", CONTROL)
    assert abs(strokes()[0]["points"][0][1] - second["points"][0][1] + 120) < 1
    hand.key("d", CONTROL)
    assert len(strokes()) == 3
    hand.key("Delete")
    assert len(strokes()) == 2
    hand.mouse("mousePressed", (450, 320))
    hand.lift((450, 320))
    hand.key("ArrowRight")
    first, second = strokes()
    assert xs(second)[0] - xs(first)[0] == 12
    # Copied as the browser copies, and pasted; then by the buttons.
    hand.key("c", CONTROL, commands=["copy"])
    hand.key("v", CONTROL, commands=["paste"])
    assert len(strokes()) == 3
    hand.click("[data-do=copy]")
    hand.click("[data-do=paste]")
    assert len(strokes()) == 4
    hand.key("x", CONTROL, commands=["cut"])
    assert len(strokes()) == 3
    hand.key("a", CONTROL)
    hand.click("[data-do=delete]")
    assert drawing() is None
    hand.key("z", CONTROL)
    assert len(strokes()) == 3
    hand.key("Escape")
    assert browser.run("document.querySelector('[data-do=delete]').disabled")


def test_files():
    fresh()
    hand.drag(SEVEN)
    hand.key("m")
    hand.drag(LOWER)
    saved = drawing()
    assert saved["format"] == "inkling-drawing" and saved["version"] == 1 and saved["width"] > 600
    browser.run("savesFiles = true")
    hand.key("s", CONTROL)
    assert json.loads(browser.downloaded("drawing.json")) == saved
    hand.key("S", CONTROL | SHIFT)
    width, height = png_size(browser.downloaded("drawing.png"))
    browser.run("savesFiles = false")
    assert abs(width - 2 * (300 + 24 + 48)) <= 2, (width, height)
    hand.key("Delete", SHIFT)
    assert drawing() is None
    open_file("again.json", json.dumps(saved).encode())
    assert drawing() == saved
    hand.key("z", CONTROL)
    assert drawing() is None
    hand.key("y", CONTROL)

    def changed(**changes):
        return json.dumps({**saved, **changes}).encode()

    stroke = saved["strokes"][0]
    for data, message in [
        (b"", "no JSON"), (b"\xff\xfe", "no JSON"), (b"null", "no drawing"), (b"[1]", "no drawing"),
        (b'{"format": "other"}', "no drawing"), (changed(version=2), "version"), (changed(width=-1), "width"),
        (changed(strokes={}), "strokes"), (changed(strokes=[None]), "Stroke 1"), (changed(strokes=[3]), "Stroke 1"),
        (changed(strokes=[{**stroke, "tool": "constructor"}]), "tool"),
        (changed(strokes=[{**stroke, "color": "red"}]), "colour"),
        (changed(strokes=[{**stroke, "color": ["#1a1a1a"]}]), "colour"),
        (changed(strokes=[{**stroke, "width": 0}]), "width"), (changed(strokes=[{**stroke, "points": []}]), "points"),
        (changed(strokes=[stroke, {**stroke, "points": [[1, 2], [1, None]]}]), "Stroke 2, point 2"),
        (changed(strokes=[{**stroke, "points": [[1]]}]), "point 1"),
        (changed(strokes=[{**stroke, "points": [[1, 1e9]]}]), "point 1"),
    ]:
        open_file("wrong.json", data)
        assert message in text("#message") and text("#message").startswith("wrong.json: "), (data, text("#message"))
        assert drawing() == saved
    open_file("wrong.png", b"\x89PNG no picture")
    assert "cannot be read" in text("#message")
    shoot("message")
    # As Swift's DrawingFile writes it, which knows no sheet: the one that is there stays.
    bare = {"format": "inkling-drawing", "version": 1, "strokes": [{"points": [[1, 2], [3, 4]]}]}
    open_file("bare.json", json.dumps(bare).encode())
    opened = drawing()
    assert opened["strokes"][0]["points"] == [[1, 2], [3, 4]] and opened["width"] == saved["width"], opened
    # A stroke of one point, and of points without pressure.
    open_file("small.json", changed(strokes=[{"points": [[5, 5]]}, {**stroke, "points": [[1, 2], [3, 4]]}]))
    assert [s["points"] for s in strokes()] == [[[5, 5]], [[1, 2], [3, 4]]]


def test_a_message_outlasts_a_busy_page():
    # The page is kept from painting for longer than a message is shown.
    fresh()
    browser.run("""
        new MutationObserver((_, observer) => {
          observer.disconnect();
          for (const start = performance.now(); performance.now() - start < 3500;);
        }).observe(document.querySelector("#message"), { childList: true });
    """)
    hand.key("s", CONTROL)
    assert text("#message").startswith("There is nothing to save"), text("#message")
    browser.frame()
    assert text("#message").startswith("There is nothing to save"), text("#message")
    browser.wait("document.querySelector('#message').textContent === ''")


def test_picture():
    fresh()
    open_file("map.png", png(400, 300))
    assert not browser.run("document.querySelector('#part').hidden")
    assert browser.run("document.querySelector('#part').classList.contains('empty')")
    hand.drag(circle(480, 300, 80))
    assert not browser.run("document.querySelector('#part').classList.contains('empty')")
    blank = browser.run("(c => c.width * c.height)(document.querySelector('#part-view'))")
    share = alpha_or_ink("#part-view") / blank
    assert 0.74 < share < 0.83, f"a circle fills π/4 of its box, not {share}"
    shoot("picture")
    hand.key("e", CONTROL)
    width, height = png_size(saved_as("part.png"))
    hand.click("[data-do=cutBox]")
    assert alpha_or_ink("#part-view") == blank
    # Four lines that enclose a part together.
    hand.key("Delete", SHIFT)
    hand.click("[data-do=cutLine]")
    corners = [(560, 220), (400, 220), (400, 380), (560, 380), (560, 220)]
    for a, b in zip(corners, corners[1:]):
        if a == corners[3]:
            assert alpha_or_ink("#part-view") < 0.3 * blank, "three lines enclose nothing"
        hand.drag(line(a, b))
    assert alpha_or_ink("#part-view") > 0.95 * blank
    # Dragged, scaled by a corner, undone, removed.
    tool("picture")
    shoot("picture-tool")
    before = alpha_or_ink("#ink")
    hand.drag(line((480, 300), (480, 700)))
    assert alpha_or_ink("#ink") != before
    hand.key("z", CONTROL)
    assert alpha_or_ink("#ink") == before
    hand.click("[data-do=pictureSmaller]")
    assert alpha_or_ink("#ink") < before
    hand.click("[data-do=pictureRemove]")
    assert browser.run("document.querySelector('#part').hidden")
    hand.key("z", CONTROL)
    assert not browser.run("document.querySelector('#part').hidden")
    # Dropped, and pasted.
    for kind, event in (("drop", "new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})"),
                        ("paste", "new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})")):
        fresh()
        browser.run("(async () => { const canvas = new OffscreenCanvas(40, 30); canvas.getContext('2d').fillRect(0, 0, 40, 30);"
                    "const data = new DataTransfer(); data.items.add(new File([await canvas.convertToBlob()], 'map.png',"
                    f"{{type: 'image/png'}})); document.querySelector('#ink').dispatchEvent({event}) }})()")
        browser.wait("!document.querySelector('#part').hidden")


def test_keyboard():
    fresh()
    # Tab reaches the sheet; Enter puts the pen down, arrows move it, Enter lifts it.
    browser.run("document.querySelector('#ink').focus()")
    hand.key("Enter")
    for key in ["ArrowRight"] * 10 + ["ArrowDown"] * 5:
        hand.key(key)
    hand.key("Enter")
    stroke, = strokes()
    points = stroke["points"]
    assert (points[-1][0] - points[0][0], points[-1][1] - points[0][1]) == (120, 60)
    shoot("keyboard")
    for key, name in zip("mnelhip", ["marker", "pencil", "eraser", "lasso", "hand", "picture", "pen"]):
        hand.key(key)
        assert browser.run(f"document.querySelector('[data-tool={name}]').ariaPressed") == "true", name
    hand.key("3")
    assert browser.run("document.querySelector('#colors button:nth-child(3)').ariaPressed") == "true"
    hand.key("]")
    assert text("#width-out") == "11"
    hand.key("?", SHIFT)
    assert browser.run("document.querySelector('#key-dialog').open") and count("#key-list kbd") > 30
    shoot("keys")
    hand.key("z", CONTROL)
    hand.key("Escape")
    assert not browser.run("document.querySelector('#key-dialog').open") and len(strokes()) == 1
    # Every control has a name and can be reached.
    nameless = browser.run("[...document.querySelectorAll('button, input:not([hidden]), canvas:not([aria-hidden])')]"
                           ".filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)")
    assert nameless == [], nameless
    assert browser.run("[...document.querySelectorAll('button, input')].every(e => e.tabIndex >= 0)")


def test_widths():
    for width, height, theme in [(1440, 900, "dark"), (1024, 700, "light"), (740, 360, "light"), (360, 740, "dark"),
                                 (360, 740, "light"), (320, 568, "light"), (2560, 1300, "light")]:
        fresh(width, height, theme, mobile=width < 800)
        for name in ["pen", "eraser", "lasso", "hand", "picture"]:
            tool(name)
            assert browser.run("document.documentElement.scrollWidth <= innerWidth"), (width, name)
            outside = browser.run(
                "[...document.querySelectorAll('button, input, #seen, #answer b, #bars li')].filter(e => {"
                "if (!e.checkVisibility()) return false; const b = e.getBoundingClientRect();"
                "return b.left < 0 || b.right > innerWidth + 0.5 || !e.closest('aside') && b.bottom > innerHeight })"
                ".map(e => e.outerHTML)")
            assert outside == [], (width, name, outside)
        tool("pen")
        x, y, right, bottom = browser.run("(b => [b.x, b.y, b.right, b.bottom])"
                                          "(document.querySelector('#ink').getBoundingClientRect())")
        hand.fingers(line((x + 60, y + 80), (x + 180, y + 80)) + line((x + 180, y + 80), (x + 110, y + 150)))
        assert len(strokes()) == 1
        shoot(f"{width}-{theme}")
    # A theme of one's own, and a picture on light paper.
    paper = "getComputedStyle(document.querySelector('main')).backgroundColor"
    fresh(theme="dark")
    dark = browser.run(paper)
    hand.click("[data-do=theme]")
    assert browser.run(paper) != dark
    hand.key("t")
    assert browser.run(paper) == dark
    open_file("map.png", png(40, 30))
    assert browser.run(paper) != dark
    fresh(360, 740, mobile=True)
    open_file("map.png", png(400, 300))
    hand.fingers(circle(180, 300, 60))
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    shoot("360-picture")


run_tests("test-draw", globals())
