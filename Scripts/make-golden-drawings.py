#!/usr/bin/env python3
"""Writes Tests/InkTests/Golden/drawings.json: drawings, and the picture that networks take of each.

The pictures are worked out here a second time, number by number in the order of Sources/Ink, so that they hold Swift
on any machine to the same bytes. A float is rounded after each operation: of +, −, ×, ÷ and √ the double's rounding
before does no harm (Figueroa, "When is double rounding innocuous?", 1995).
"""

import base64
import json
import math
import pathlib
import struct

from drawn_digits import DIGITS, arc

SIDE, BOX, CENTRE = 28, 20, 14


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


RADIUS = f32(1.4)
ROUNDING = 8388608.0


def pixel_range(first, last):
    low = int(first) if first > 0 else 0
    high = int(f32(last + 1)) if last < SIDE - 1 else SIDE - 1
    return range(low, high + 1)


def draw_line(canvas, ax, ay, bx, by):
    reach = f32(RADIUS + 0.5)
    along, down = f32(bx - ax), f32(by - ay)
    square = f32(f32(along * along) + f32(down * down))
    for row in pixel_range(f32(min(ay, by) - reach), f32(max(ay, by) + reach)):
        y = f32(row - ay)
        for column in pixel_range(f32(min(ax, bx) - reach), f32(max(ax, bx) + reach)):
            x = f32(column - ax)
            share = 0.0
            if square > 0:
                share = min(1.0, max(0.0, f32(f32(f32(x * along) + f32(y * down)) / square)))
            right, below = f32(x - f32(share * along)), f32(y - f32(share * down))
            distance = f32(math.sqrt(f32(f32(right * right) + f32(below * below))))
            place = SIDE * row + column
            canvas[place] = max(canvas[place], min(1.0, f32(reach - distance)))


def shift(total, mass):
    most = (SIDE - BOX) / 2 - 0.5
    return max(-most, min(most, f32(CENTRE - f32(total / mass))))


def picture(strokes):
    """The 784 bytes for strokes of points, whose coordinates are floats."""
    points = [point for stroke in strokes for point in stroke]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    extent = max(right - left, bottom - top)
    scale = f32(BOX - f32(2 * RADIUS)) / extent if extent > 0 else 0.0
    shift_x = CENTRE - (left / 2 + right / 2 - left) * scale
    shift_y = CENTRE - (top / 2 + bottom / 2 - top) * scale
    for _ in range(2):
        canvas = [0.0] * (SIDE * SIDE)
        for stroke in strokes:
            placed = [(f32((x - left) * scale + shift_x), f32((y - top) * scale + shift_y)) for x, y in stroke]
            for a, b in zip(placed, placed[1:] if len(placed) > 1 else placed):
                draw_line(canvas, *a, *b)
        pixels = [int(f32(f32(value * 255) + ROUNDING) - ROUNDING) for value in canvas]
        mass = sum(pixels)
        last = bytes(pixels)
        if mass > 0:
            shift_x += shift(sum(value * (place % SIDE) for place, value in enumerate(pixels)), mass)
            shift_y += shift(sum(value * (place // SIDE) for place, value in enumerate(pixels)), mass)
    return last


def moved(strokes, factor, x, y):
    return [[(factor * px + x, factor * py + y) for px, py in stroke] for stroke in strokes]


def on_eighths(strokes):
    """With coordinates that take few digits to write."""
    return [[(round(8 * x) / 8, round(8 * y) / 8) for x, y in stroke] for stroke in strokes]


def drawings():
    digits = [on_eighths(strokes) for strokes in DIGITS]
    yield "a dot", [[(50, 50)]]
    yield "a dot of many points, and an empty stroke", [[(-3.5, 8)] * 5, []]
    yield "a horizontal line", [[(10, 900), (600, 900)]]
    yield "a vertical line", [[(900, 10), (900, 600)]]
    for label, strokes in enumerate(digits):
        yield str(label), strokes
    yield "5 at negative coordinates", moved(digits[5], 2.5, -1234.5, -777.25)
    yield "8 at huge coordinates", moved(digits[8], 1e36, -3e37, 2e38)
    yield "4 as small as it can be told apart", moved(digits[4], 2 ** -140, 0, 0)
    yield "3 far away", moved(digits[3], 1, 1e6, -1e6)
    yield "a long spiral", on_eighths([[(t * math.cos(t / 40), t * math.sin(t / 40)) for t in range(2000)]])
    yield "a short stroke beside a long one", on_eighths([arc(0, 0, 3, 3, 0, 360), [(200, -100), (200, 260)]])


if __name__ == "__main__":
    rows = []
    for name, strokes in drawings():
        rounded = [[(f32(x), f32(y)) for x, y in stroke] for stroke in strokes]
        text = base64.b64encode(picture(rounded)).decode()
        flat = [[value for point in stroke for value in point] for stroke in rounded]
        rows.append(json.dumps({"name": name, "strokes": flat, "picture": text}))
    path = pathlib.Path(__file__).resolve().parent.parent / "Tests/InkTests/Golden/drawings.json"
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n")
    print(f"{path}: {len(rows)} drawings")
