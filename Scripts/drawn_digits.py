"""Digits as a hand draws them: strokes of points, y down, 100 wide and 140 high."""

import math


def arc(x, y, rx, ry, start, end, count=16):
    """Points of an ellipse; degrees from the right, clockwise as y points down."""
    angles = [math.radians(start + (end - start) * i / count) for i in range(count + 1)]
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


DIGITS = [
    [arc(50, 70, 46, 68, -80, 285, 40)],
    [[(30, 28), (54, 2), (54, 138)]],
    [arc(50, 42, 42, 40, -165, 35) + [(8, 136), (96, 136)]],
    [arc(46, 36, 40, 34, -150, 90) + arc(46, 104, 44, 34, -90, 150)],
    [[(62, 2), (6, 92), (96, 92)], [(70, 56), (70, 138)]],
    [[(88, 4), (22, 4), (18, 62)] + arc(46, 94, 42, 42, -120, 140)],
    [[(74, 4), (36, 40), (14, 84)] + arc(50, 100, 38, 36, 170, -185, 32)],
    [[(6, 6), (94, 6), (40, 138)]],
    [arc(50, 36, 36, 33, -60, -270, 20) + arc(50, 103, 42, 34, -90, 270, 32) + arc(50, 36, 36, 33, 90, -60, 20)],
    [arc(50, 42, 38, 38, -10, -350, 32) + [(88, 46), (84, 92), (66, 138)]],
]
