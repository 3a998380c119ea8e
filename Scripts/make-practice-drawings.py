#!/usr/bin/env python3
"""Draws for practice what MNIST hardly has: digits in the forms that strangers write, and scribbles that are no digit.

usage: make-practice-drawings.py digits|others|letters COUNT SEED > drawings.ndjson

One drawing a line, {"label": "7", "strokes": [[[x, y], ...], ...]}, y down. A form is a few strokes through control
points in a box of 1 x 1; each drawing moves the points, slants and stretches the box, and lets the pen tremble.
"""
import json
import math
import random
import sys


def arc(x, y, width, height, start, end, count=9):
    """Points of an ellipse around (x, y), angles in turns, clockwise from the right as y points down."""
    angles = (2 * math.pi * (start + (end - start) * step / (count - 1)) for step in range(count))
    return [(x + width * math.cos(angle), y + height * math.sin(angle)) for angle in angles]


# By digit: forms, each with how often it is drawn. MNIST's own forms are rare here: MNIST has them.
FORMS = {
    "0": [
        (2, [arc(0.5, 0.5, 0.36, 0.5, -0.25, -1.27)]),
        (3, [arc(0.5, 0.5, 0.36, 0.5, -0.25, -1.27), [(0.86, 0.08), (0.5, 0.5), (0.14, 0.92)]]),
        (3, [arc(0.5, 0.5, 0.38, 0.5, -0.2, -1.22), [(1.02, -0.05), (0.5, 0.5), (-0.02, 1.05)]]),
        (2, [arc(0.5, 0.5, 0.44, 0.36, -0.2, -1.22), [(0.68, -0.08), (0.5, 0.5), (0.36, 1.08)]]),
        (1, [arc(0.5, 0.5, 0.38, 0.5, -0.2, -1.22) + [(0.75, 0.2), (0.2, 0.9)]]),
        (1, [arc(0.5, 0.5, 0.3, 0.5, -0.3, 0.72)]),
    ],
    "1": [
        (2, [[(0.5, 0), (0.5, 1)]]),
        (2, [[(0.25, 0.25), (0.5, 0), (0.5, 1)]]),
        (3, [[(0.25, 0.25), (0.5, 0), (0.5, 1)], [(0.2, 1), (0.8, 1)]]),
        (2, [[(0.35, 0.12), (0.5, 0), (0.5, 0.98)], [(0.3, 1), (0.72, 1)]]),
        (1, [[(0.5, 0), (0.5, 1)], [(0.25, 1), (0.75, 1)]]),
        (2, [[(0.15, 0.42), (0.32, 0.25), (0.5, 0), (0.5, 1)]]),
        (1, [[(0.3, 0.03), (0.5, 0), (0.5, 1)], [(0.25, 1), (0.75, 1)]]),
        (1, [[(0.2, 0.12), (0.35, 0.02), (0.55, 0)], [(0.55, 0), (0.5, 1)], [(0.2, 1), (0.85, 1)]]),
        (1, [[(0.3, 0.16), (0.52, 0.1)], [(0.52, 0), (0.52, 1)]]),
    ],
    "2": [
        (3, [[(0.12, 0.25), (0.3, 0.03), (0.65, 0), (0.85, 0.22), (0.7, 0.5), (0.35, 0.8), (0.1, 1)], [(0.1, 1), (0.9, 1)]]),
        (2, [[(0.12, 0.25), (0.3, 0.03), (0.65, 0), (0.85, 0.22), (0.7, 0.5), (0.3, 0.9), (0.12, 0.95), (0.1, 0.82),
              (0.28, 0.8), (0.6, 0.97), (0.95, 0.95)]]),
        (1, [[(0.2, 0.1), (0.55, 0), (0.8, 0.2), (0.6, 0.55), (0.1, 1)], [(0.1, 1), (0.5, 0.95), (0.95, 0.9)]]),
    ],
    "3": [
        (2, [[(0.15, 0.1), (0.5, 0), (0.8, 0.2), (0.65, 0.42), (0.4, 0.48)],
             [(0.4, 0.48), (0.75, 0.55), (0.85, 0.78), (0.55, 1), (0.1, 0.9)]]),
        (2, [[(0.15, 0.02), (0.8, 0.02)], [(0.8, 0.02), (0.42, 0.42)],
             [(0.42, 0.42), (0.75, 0.5), (0.85, 0.75), (0.55, 1), (0.1, 0.9)]]),
    ],
    "4": [
        (2, [[(0.25, 0), (0.1, 0.6)], [(0.1, 0.6), (0.95, 0.58)], [(0.7, 0.05), (0.66, 1)]]),
        (2, [[(0.65, 0), (0.05, 0.66)], [(0.05, 0.66), (0.98, 0.66)], [(0.68, 0.02), (0.68, 1)]]),
        (1, [[(0.2, 0.02), (0.15, 0.4), (0.3, 0.52), (0.8, 0.45)], [(0.8, 0), (0.78, 1)]]),
    ],
    "5": [
        (2, [[(0.25, 0.02), (0.2, 0.42)], [(0.2, 0.42), (0.55, 0.36), (0.85, 0.6), (0.7, 0.92), (0.35, 1), (0.1, 0.88)],
             [(0.25, 0.02), (0.85, 0)]]),
        (1, [[(0.85, 0), (0.25, 0.04)], [(0.25, 0.04), (0.2, 0.45)],
             [(0.2, 0.45), (0.6, 0.4), (0.82, 0.65), (0.6, 0.97), (0.1, 0.92)]]),
        (1, [[(0.9, 0.02), (0.45, 0.05), (0.3, 0.3), (0.6, 0.5), (0.7, 0.8), (0.4, 1), (0.1, 0.9)]]),
    ],
    "6": [
        (2, [[(0.7, 0), (0.3, 0.3), (0.15, 0.7), (0.4, 1), (0.8, 0.85), (0.75, 0.6), (0.45, 0.55), (0.18, 0.75)]]),
        (1, [[(0.4, 0), (0.2, 0.5), (0.25, 0.9), (0.6, 1), (0.85, 0.8), (0.6, 0.58), (0.22, 0.75)]]),
    ],
    "7": [
        (1, [[(0.1, 0.02), (0.9, 0)], [(0.9, 0), (0.6, 0.5), (0.4, 1)]]),
        (3, [[(0.1, 0.02), (0.9, 0)], [(0.9, 0), (0.6, 0.5), (0.4, 1)], [(0.3, 0.52), (0.85, 0.48)]]),
        (2, [[(0.12, 0.2), (0.12, 0.02)], [(0.12, 0.02), (0.9, 0.02)], [(0.9, 0.02), (0.55, 0.5), (0.4, 1)]]),
        (1, [[(0.1, 0.1), (0.08, 0.42)], [(0.1, 0.12), (0.9, 0.1)], [(0.9, 0.02), (0.55, 0.5), (0.45, 1)]]),
        (2, [[(0.12, 0.2), (0.14, 0.02)], [(0.14, 0.02), (0.9, 0.02)], [(0.9, 0.02), (0.45, 1)], [(0.35, 0.5), (0.9, 0.5)]]),
    ],
    "8": [
        (2, [[(0.75, 0.12), (0.45, 0), (0.2, 0.22), (0.5, 0.48), (0.82, 0.75), (0.5, 1), (0.18, 0.76), (0.5, 0.48),
              (0.8, 0.2), (0.72, 0.08)]]),
        (1, [arc(0.5, 0.24, 0.27, 0.24, -0.25, 0.76), arc(0.5, 0.74, 0.34, 0.27, -0.25, 0.76)]),
    ],
    "9": [
        (2, [arc(0.45, 0.26, 0.32, 0.26, -0.05, -1.02), [(0.78, 0.2), (0.72, 0.6), (0.6, 1)]]),
        (2, [arc(0.45, 0.26, 0.32, 0.26, -0.05, -1.02), [(0.78, 0.2), (0.8, 0.7), (0.6, 0.97), (0.2, 0.92)]]),
        (1, [[(0.8, 0.15), (0.5, 0), (0.2, 0.2), (0.35, 0.5), (0.75, 0.3)], [(0.8, 0.1), (0.78, 1)]]),
    ],
}


# Capital letters, to see what a network of digits makes of them; none is drawn for practice.
LETTERS = {
    "A": [[(0, 1), (0.5, 0)], [(0.5, 0), (1, 1)], [(0.2, 0.62), (0.8, 0.62)]],
    "B": [[(0.1, 0), (0.1, 1)], [(0.1, 0), (0.7, 0.1), (0.7, 0.4), (0.1, 0.5)], [(0.1, 0.5), (0.8, 0.6), (0.8, 0.9), (0.1, 1)]],
    "C": [arc(0.55, 0.5, 0.45, 0.5, -0.13, -0.87)],
    "D": [[(0.1, 0), (0.1, 1)], [(0.1, 0), (0.7, 0.15), (0.9, 0.5), (0.7, 0.85), (0.1, 1)]],
    "E": [[(0.1, 0), (0.1, 1)], [(0.1, 0), (0.8, 0)], [(0.1, 0.5), (0.7, 0.5)], [(0.1, 1), (0.8, 1)]],
    "F": [[(0.1, 0), (0.1, 1)], [(0.1, 0), (0.8, 0)], [(0.1, 0.48), (0.7, 0.48)]],
    "G": [arc(0.55, 0.5, 0.45, 0.5, -0.13, -0.95), [(0.6, 0.55), (1, 0.55)], [(1, 0.55), (1, 0.95)]],
    "H": [[(0.1, 0), (0.1, 1)], [(0.9, 0), (0.9, 1)], [(0.1, 0.5), (0.9, 0.5)]],
    "I": [[(0.5, 0), (0.5, 1)]],
    "J": [[(0.7, 0), (0.7, 0.7), (0.45, 1), (0.15, 0.75)]],
    "K": [[(0.1, 0), (0.1, 1)], [(0.85, 0), (0.1, 0.55)], [(0.3, 0.4), (0.9, 1)]],
    "L": [[(0.1, 0), (0.1, 1)], [(0.1, 1), (0.8, 1)]],
    "M": [[(0, 1), (0.1, 0)], [(0.1, 0), (0.5, 0.6)], [(0.5, 0.6), (0.9, 0)], [(0.9, 0), (1, 1)]],
    "N": [[(0.1, 1), (0.1, 0)], [(0.1, 0), (0.9, 1)], [(0.9, 1), (0.9, 0)]],
    "O": [arc(0.5, 0.5, 0.48, 0.5, -0.25, -1.27)],
    "P": [[(0.1, 0), (0.1, 1)], [(0.1, 0), (0.8, 0.1), (0.8, 0.42), (0.1, 0.52)]],
    "Q": [arc(0.5, 0.5, 0.48, 0.5, -0.25, -1.27), [(0.55, 0.65), (1, 1.05)]],
    "R": [[(0.1, 0), (0.1, 1)], [(0.1, 0), (0.8, 0.1), (0.8, 0.4), (0.1, 0.5)], [(0.4, 0.5), (0.9, 1)]],
    "S": [[(0.85, 0.12), (0.5, 0), (0.15, 0.22), (0.5, 0.48), (0.85, 0.75), (0.5, 1), (0.1, 0.88)]],
    "T": [[(0, 0), (1, 0)], [(0.5, 0), (0.5, 1)]],
    "U": [[(0.1, 0), (0.1, 0.65), (0.5, 1), (0.9, 0.65), (0.9, 0)]],
    "V": [[(0, 0), (0.5, 1)], [(0.5, 1), (1, 0)]],
    "W": [[(0, 0), (0.25, 1)], [(0.25, 1), (0.5, 0.35)], [(0.5, 0.35), (0.75, 1)], [(0.75, 1), (1, 0)]],
    "X": [[(0, 0), (1, 1)], [(1, 0), (0, 1)]],
    "Y": [[(0, 0), (0.5, 0.5)], [(1, 0), (0.5, 0.5)], [(0.5, 0.5), (0.5, 1)]],
    "Z": [[(0.05, 0), (0.95, 0)], [(0.95, 0), (0.05, 1)], [(0.05, 1), (0.95, 1)]],
}


def smooth(points, steps=6):
    """A Catmull-Rom curve through the points."""
    if len(points) < 3:
        return [mix(points[0], points[-1], step / steps) for step in range(steps + 1)]
    curve = []
    for place in range(len(points) - 1):
        a, b = points[max(0, place - 1)], points[place]
        c, d = points[place + 1], points[min(len(points) - 1, place + 2)]
        for step in range(steps):
            t = step / steps
            curve.append(tuple(
                0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t ** 3)
                for p, q, r, s in zip(a, b, c, d)))
    return curve + [points[-1]]


def mix(a, b, t):
    return tuple(p + (q - p) * t for p, q in zip(a, b))


def write_by_hand(strokes, source):
    """The strokes as a hand would draw them: control points off their places, box slanted and stretched, a tremble."""
    slack = source.choice([0.015, 0.03, 0.045])
    # Ends that are the same place stay one place, so that corners keep their corners.
    moved = {}

    def move(point):
        if point not in moved:
            moved[point] = tuple(value + source.gauss(0, slack) for value in point)
        return moved[point]

    slant, turn = source.gauss(0.1, 0.18), source.gauss(0, 0.08)
    width, bend = source.uniform(0.45, 0.95), source.gauss(0, 0.06)
    tremble = source.choice([0, 0.004, 0.008])
    result = []
    for stroke in strokes:
        curve = smooth([move(point) for point in stroke])
        line = []
        for x, y in curve:
            x += bend * math.sin(math.pi * y) + slant * (0.5 - y)
            x, y = x * width, y
            x, y = x - turn * y, y + turn * x
            line.append([round(100 * (x + source.gauss(0, tremble)), 1), round(100 * (y + source.gauss(0, tremble)), 1)])
        result.append(line)
    return result


def digit(source):
    label = source.choice("0123456789")
    forms = FORMS[label]
    strokes = source.choices([form for _, form in forms], [weight for weight, _ in forms])[0]
    return label, write_by_hand(strokes, source)


def letter(source):
    label = source.choice(sorted(LETTERS))
    return label, write_by_hand(LETTERS[label], source)


def scribble(source):
    """Back and forth within a box, round or with corners."""
    count = source.randint(7, 30)
    height = source.uniform(0.25, 1)
    points = [(source.random(), source.random() * height) for _ in range(count)]
    if source.random() < 0.4:
        # Hatching: from side to side, downwards or sideways.
        points = [(step % 2 + source.gauss(0, 0.08), step / count + source.gauss(0, 0.03)) for step in range(count)]
    if source.random() < 0.3:
        points = [(y, x) for x, y in points]
    return [smooth(points, source.choice([1, 5]))]


def spiral(source):
    turns, start = source.uniform(2, 5), source.random()
    inner = source.uniform(0, 0.4)
    count = int(turns * 16)
    return [[(r * math.cos(a), r * math.sin(a) * 0.9) for r, a in (
        (inner + (1 - inner) * step / count, 2 * math.pi * (start + turns * step / count)) for step in range(count + 1))]]


def dots(source):
    return [blob((source.random(), source.random()), source.uniform(0, 0.02), source)
            for _ in range(source.randint(1, 7))]


def blob(place, size, source):
    return [(place[0] + source.gauss(0, size), place[1] + source.gauss(0, size)) for _ in range(source.randint(1, 6))]


def dashes(source):
    """Flat lines, one or several: an upright one is a 1."""
    count = source.choice([1, 1, 1, 2, 3, 4])
    tilt = source.gauss(0, 0.12)
    return [[(source.uniform(0, 0.2), 0.35 * line), (0.5, 0.35 * line + tilt / 2 + source.gauss(0, 0.03)),
             (source.uniform(0.8, 1), 0.35 * line + tilt)] for line in range(count)]


def lines(source):
    """Straight lines that cross or meet anyhow: crosses, plus signs, stars, fences."""
    kind = source.random()
    if kind < 0.3:
        angle = source.random() * math.pi
        count = source.choice([2, 2, 3, 4])
        return [[(math.cos(a), math.sin(a)), (-math.cos(a), -math.sin(a))]
                for a in (angle + math.pi * line / count for line in range(count))]
    if kind < 0.5:
        count = source.randint(2, 6)
        upright = [[(line / count, 0), (line / count, 1)] for line in range(count)]
        across = [[(-0.2, y), (1.1, y)] for y in ([0.5] if source.random() < 0.5 else [0.3, 0.7])]
        return upright + (across if source.random() < 0.6 or count < 3 else [])
    return [[(source.random(), source.random()), (source.random(), source.random())]
            for _ in range(source.randint(3, 8))]


def shape(source):
    """Closed outlines with corners, waves, hearts of many loops: what people draw to try it out."""
    kind = source.random()
    if kind < 0.4:
        corners, is_filled = source.randint(3, 6), source.random() < 0.4
        # Without anything inside, four corners or more are somebody's 0.
        corners = corners if is_filled else 3
        start = source.random()
        outline = [(math.cos(2 * math.pi * (start + k / corners)), math.sin(2 * math.pi * (start + k / corners)))
                   for k in range(corners + 1)]
        inside = [[(-0.4, 0), (0.4, 0)]] if is_filled else []
        return [[point for a, b in zip(outline, outline[1:]) for point in smooth([a, b], 4)]] + inside
    if kind < 0.7:
        waves, height = source.randint(2, 6), source.uniform(0.1, 0.5)
        return [[(step / 40, height * math.sin(2 * math.pi * waves * step / 40)) for step in range(41)]]
    # A face or a wheel: a circle with things in it.
    circle = arc(0.5, 0.5, 0.5, 0.5, 0, 1.02, 20)
    things = [blob((0.35, 0.38), 0.01, source), blob((0.65, 0.38), 0.01, source), arc(0.5, 0.55, 0.25, 0.22, 0.05, 0.45, 7)]
    spokes = [[(0.5, 0), (0.5, 1)], [(0, 0.5), (1, 0.5)]]
    return [circle] + (things if source.random() < 0.5 else spokes)


def is_upright(strokes):
    """Whether all of it is a narrow upright bar: that is somebody's 1, whatever was meant."""
    xs = [x for stroke in strokes for x, _ in stroke]
    ys = [y for stroke in strokes for _, y in stroke]
    return max(xs) - min(xs) < 0.45 * (max(ys) - min(ys))


def other(source):
    kind = source.choice([scribble, scribble, spiral, dots, dashes, lines, shape])
    strokes = kind(source)
    while is_upright(strokes):
        strokes = kind(source)
    angle, width = source.gauss(0, 0.1), source.uniform(0.7, 1.4)
    cos, sin = math.cos(angle), math.sin(angle)
    return kind.__name__, [[[round(100 * width * (x * cos - y * sin), 1), round(100 * (x * sin + y * cos), 1)]
                     for x, y in stroke] for stroke in strokes]


def main():
    kinds = {"digits": digit, "others": other, "letters": letter}
    if len(sys.argv) != 4 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    draw = kinds[sys.argv[1]]
    source = random.Random(int(sys.argv[3]))
    for _ in range(int(sys.argv[2])):
        label, strokes = draw(source)
        print(json.dumps({"label": label, "strokes": strokes}, separators=(",", ":")))


if __name__ == "__main__":
    main()
