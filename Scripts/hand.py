"""A hand at a page in Chromium: mouse, pen, fingers and keys, as the browser itself would send them."""

import math

SHIFT, CONTROL = 8, 2
CODES = {"Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
         "Delete": 46, "Tab": 9}


def line(start, end, count=12):
    return [(start[0] + (end[0] - start[0]) * i / count, start[1] + (end[1] - start[1]) * i / count)
            for i in range(count + 1)]


def circle(x, y, radius, count=40):
    return [(x + radius * math.cos(2 * math.pi * i / count), y + radius * math.sin(2 * math.pi * i / count))
            for i in range(count + 1)]


class Hand:
    def __init__(self, browser):
        self.browser = browser

    def mouse(self, kind, point, pressed=True, button="left", **more):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=point[0], y=point[1], button=button,
                          buttons={"left": 1, "middle": 4, "none": 0}[button] if pressed else 0, clickCount=1, **more)

    def drag(self, points, button="left", modifiers=0, lifts=True):
        self.mouse("mousePressed", points[0], button=button, modifiers=modifiers)
        for point in points[1:]:
            self.mouse("mouseMoved", point, button=button, modifiers=modifiers)
        if lifts:
            self.lift(points[-1], button=button, modifiers=modifiers)

    def lift(self, point, button="left", **more):
        self.mouse("mouseReleased", point, pressed=False, button=button, **more)
        self.browser.frame()

    def pen(self, points, pressures):
        pen = {"pointerType": "pen"}
        self.mouse("mousePressed", points[0], force=pressures[0], **pen)
        for point, pressure in zip(points[1:], pressures[1:]):
            self.mouse("mouseMoved", point, force=pressure, **pen)
        self.lift(points[-1], **pen)

    def fingers(self, *ways):
        """Fingers that go their ways together."""
        def send(kind, points):
            touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
            self.browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=touches)

        for count in range(1, len(ways) + 1):
            send("touchStart", [way[0] for way in ways[:count]])
        for points in list(zip(*ways))[1:]:
            send("touchMove", points)
        send("touchEnd", [])
        self.browser.frame()

    def wheel(self, point, dx, dy, modifiers=0):
        self.browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=point[0], y=point[1], deltaX=dx, deltaY=dy,
                          modifiers=modifiers)
        self.browser.frame()

    def key_down(self, key, modifiers=0, **more):
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 and not modifiers & CONTROL else "")
        code = CODES.get(key, ord(key.upper()[0]))
        self.browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, modifiers=modifiers,
                          windowsVirtualKeyCode=code, **more)

    def key_up(self, key, modifiers=0):
        self.browser.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def key(self, key, modifiers=0, **more):
        self.key_down(key, modifiers, **more)
        self.key_up(key, modifiers)
        self.browser.frame()

    def click(self, selector):
        """A click in the middle of the first visible element."""
        box = self.browser.run(
            f"(e => {{ const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] }})"
            f"([...document.querySelectorAll({selector!r})].find(e => e.checkVisibility()))")
        self.mouse("mousePressed", box)
        self.lift(box)
