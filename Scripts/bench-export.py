#!/usr/bin/env python3
"""Measures how long inkling-export takes to write the preset cnn in each format, the whole program, and how large the
files are. The formats take turns, so that a machine that changes its speed does so for all.

usage: bench-export.py PROGRAMS [ROUNDS]
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

DATA = "Data/mnist-5k"
FILES = [("ink", ["f32", "f16", "int8", "int4"]), ("onnx", ["f32", "f16", "int8", "int4"]),
         ("coreml", ["f32", "f16", "int8"]), ("safetensors", ["f32", "f16"])]
BITS = {"f32": 32, "f16": 16, "int8": 8, "int4": 4}


def main(programs, rounds):
    with tempfile.TemporaryDirectory() as folder:
        run, output = pathlib.Path(folder, "cnn"), pathlib.Path(folder, "model")
        data = pathlib.Path(folder, "data")
        data.symlink_to(pathlib.Path(DATA).resolve())
        # An epoch is enough: what the weights are does not matter here.
        subprocess.run([f"{programs}/inkling-train", "--data", data, "--preset", "cnn", "--epochs", "1", "--output", run],
                       check=True, capture_output=True)
        # Without test images nothing is judged, which would take as long as predicting them all twice.
        data.unlink()
        weights = parameter_count(programs, run)
        times, sizes = {}, {}
        for _ in range(rounds):
            for name, storages in FILES:
                for storage in storages:
                    command = [f"{programs}/inkling-export", "--model", run, "--format", name, "--weights", storage,
                               "--output", output]
                    start = time.perf_counter()
                    subprocess.run(command, check=True, capture_output=True)
                    times.setdefault((name, storage), []).append(1000 * (time.perf_counter() - start))
                    sizes[name, storage] = output.stat().st_size
        print(f"inkling-export of cnn, {weights:,} parameters, {rounds} rounds by turns; the whole program")
        print(f"{'format':12}{'weights':10}{'ms: median (range)':>26}{'bytes':>12}{'of the weights alone':>24}")
        for (name, storage), values in times.items():
            span = f"{statistics.median(values):.0f} ({min(values):.0f} to {max(values):.0f})"
            share = sizes[name, storage] / (weights * BITS[storage] / 8)
            print(f"{name:12}{storage:10}{span:>26}{sizes[name, storage]:>12,}{share:>24.3f}")


def parameter_count(programs, run):
    result = subprocess.run([f"{programs}/inkling-info", run, "--json"], check=True, capture_output=True, text=True)
    return json.loads(result.stdout)["parameterCount"]


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7)
