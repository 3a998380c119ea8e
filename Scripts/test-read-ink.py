#!/usr/bin/env python3
"""Reads the tests' .ink files with read-ink.py, and compares with what Swift found in them."""

import json
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "Tests" / "InferenceTests" / "Golden"


def read(path):
    command = [sys.executable, "-B", ROOT / "Scripts" / "read-ink.py", path]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


class ReadInkTests(unittest.TestCase):
    def test_golden_files(self):
        files = sorted(GOLDEN.glob("*.ink"))
        self.assertGreaterEqual(len(files), 5)
        for path in files:
            with self.subTest(path.name):
                result = read(path)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(json.loads(result.stdout), json.loads(path.with_suffix(".json").read_text())["content"])

    def test_a_damaged_file_is_refused(self):
        damaged = bytearray((GOLDEN / "linear.ink").read_bytes())
        damaged[20] ^= 1
        path = ROOT / ".build" / "damaged.ink"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(damaged)
        result = read(path)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr, "read-ink: expected a whole .ink file of version 1, found something else or a damaged one\n")


if __name__ == "__main__":
    unittest.main()
