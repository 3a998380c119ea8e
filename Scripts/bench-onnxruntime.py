#!/usr/bin/env python3
"""Measures inference beside ONNX Runtime: the presets, exported to both, on one thread, by turns.

ONNX Runtime's latency is that of its call from Python less 3 µs, which is what the call takes more than the one of its
C interface. Both take bytes and give probabilities.

usage: bench-onnxruntime.py PROGRAMS [ROUNDS [SECONDS]]     SECONDS for each measurement
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime

DATA = "Data/mnist-5k"
BATCH = 256
PYTHON_CALL = 3e-6


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def seconds_per_call(model, images, seconds):
    """The median over calls for so many seconds."""
    def call():
        start = time.perf_counter()
        model.run(["probabilities"], {"image": images})
        return time.perf_counter() - start

    for _ in range(3):
        call()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        times.append(call())
    return statistics.median(times) - PYTHON_CALL


def show(values, digits):
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def main(programs, rounds, seconds):
    print(f"one thread, ONNX Runtime {onnxruntime.__version__}, {rounds} rounds of {seconds} s by turns: median (range)")
    print(f"{'preset':8}{'':16}{'Inkling':>30}{'ONNX Runtime':>30}{'ratio':>8}")
    images = numpy.random.default_rng(1).integers(0, 256, (BATCH, 1, 28, 28), numpy.uint8)
    with tempfile.TemporaryDirectory() as folder:
        for preset in ("mlp", "lenet5", "cnn"):
            run = pathlib.Path(folder, preset)
            # An epoch is enough: what the weights are does not matter here.
            command = [f"{programs}/inkling-train", "--data", DATA, "--preset", preset, "--epochs", "1", "--output", run]
            subprocess.run(command, check=True, capture_output=True)
            for name in ("ink", "onnx"):
                command = [f"{programs}/inkling-export", "--model", run, "--format", name, "--weights", "f32",
                           "--output", f"{run}.{name}"]
                subprocess.run(command, check=True, capture_output=True)
            latencies, rates = ([], []), ([], [])
            peer = session(f"{run}.onnx")
            for _ in range(rounds):
                ours = subprocess.run(
                    [f"{programs}/inkling-benchmark", "--model", f"{run}.ink", "--seconds", str(seconds), "--json"],
                    check=True, capture_output=True, text=True)
                ours = json.loads(ours.stdout)
                latencies[0].append(ours["latency"]["p50Microseconds"])
                rates[0].append(next(r["imagesPerSecond"] for r in ours["throughput"] if r["batch"] == BATCH))
                latencies[1].append(1e6 * seconds_per_call(peer, images[:1], seconds))
                rates[1].append(BATCH / seconds_per_call(peer, images, seconds))
            for title, (mine, theirs), digits, isRate in (
                    ("one image, µs", latencies, 1, False), (f"{BATCH}, images/s", rates, 0, True)):
                ratio = statistics.median(mine) / statistics.median(theirs)
                print(f"{preset:8}{title:16}{show(mine, digits):>30}{show(theirs, digits):>30}"
                      f"{ratio if isRate else 1 / ratio:>8.2f}")


arguments = sys.argv[1:] + ["3", "0.5"][len(sys.argv) - 2:]
main(arguments[0], int(arguments[1]), float(arguments[2]))
