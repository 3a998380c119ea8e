#!/usr/bin/env python3
"""Holds safetensors files against the runtime, by Python's safetensors package, NumPy and, where it is there,
PyTorch.

usage: test-safetensors.py PROGRAMS RUNS DATA

PROGRAMS is the folder with inkling-train, inkling-export and plain-predictions, RUNS one with trained runs,
DATA the digits. Each run is exported as .ink with floats, which says what is expected of 1,000 test digits, and
as safetensors. The network that such a file describes as Python is then computed twice from the file's arrays:
by modules of NumPy that stand below, and by PyTorch's own, which must take the arrays with strict=True. Labels
have to be equal; probabilities may be 1e-5 apart, with weights in half precision 2e-3.

Then the way back: the arrays saved by Python as safetensors and as .npz, stored and deflated, and read by
inkling-export and by inkling-train, which also has to take weights that were trained on normalised pixels.
"""

import gzip
import pathlib
import struct
import subprocess
import sys
import tempfile
import types

import numpy
import safetensors
import safetensors.numpy

try:
    import torch
except ImportError:
    torch = None

COUNT = 1000
BATCH = 100


def fail(message):
    sys.exit(f"test-safetensors: {message}")


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode:
        fail(f"{' '.join(map(str, command))}: {result.stderr.strip()}")
    return result.stdout


# PyTorch's modules as NumPy: what its documentation says that they compute in evaluation. Each is called with its
# arrays, by name, and values [N, …].


def pair(value):
    return value if isinstance(value, tuple) else (value, value)


class Conv2d:
    def __init__(self, inputs, outputs, kernel, stride=1, padding=0, groups=1, bias=True):
        self.kernel, self.stride, self.padding = pair(kernel), pair(stride), pair(padding)
        self.groups, self.names = groups, ["weight", "bias"] if bias else ["weight"]

    def __call__(self, arrays, x):
        (down, across), (top, left) = self.stride, self.padding
        x = numpy.pad(x, ((0, 0), (0, 0), (top, top), (left, left)))
        # [N, C, rows, columns, kernel rows, kernel columns]
        places = numpy.lib.stride_tricks.sliding_window_view(x, self.kernel, (2, 3))[:, :, ::down, ::across]
        weight = arrays["weight"]
        outputs, channels = len(weight) // self.groups, x.shape[1] // self.groups
        parts = [
            numpy.einsum(
                "nchwij,ocij->nohw", places[:, group * channels:(group + 1) * channels],
                weight[group * outputs:(group + 1) * outputs], optimize=True)
            for group in range(self.groups)]
        result = numpy.concatenate(parts, 1)
        return result + arrays["bias"].reshape(-1, 1, 1) if "bias" in arrays else result


class Linear:
    def __init__(self, inputs, outputs, bias=True):
        self.names = ["weight", "bias"] if bias else ["weight"]

    def __call__(self, arrays, x):
        return x @ arrays["weight"].T + arrays.get("bias", 0)


class BatchNorm:
    names = ["weight", "bias", "running_mean", "running_var", "num_batches_tracked"]

    def __init__(self, channels):
        pass

    def __call__(self, arrays, x):
        spread = lambda name: arrays[name].reshape(-1, *[1] * (x.ndim - 2))
        normal = (x - spread("running_mean")) / numpy.sqrt(spread("running_var") + 1e-5)
        return normal * spread("weight") + spread("bias")


class Plain:
    """A module without arrays."""
    names = []

    def __init__(self, compute):
        self.compute = compute

    def __call__(self, arrays, x):
        return self.compute(x)


def pool(reduce):
    def module(kernel, stride):
        (down, across), kernel = pair(stride), pair(kernel)
        return Plain(lambda x: reduce(
            numpy.lib.stride_tricks.sliding_window_view(x, kernel, (2, 3))[:, :, ::down, ::across], (4, 5)))
    return module


def adaptive(size):
    assert size == 1
    return Plain(lambda x: x.mean((2, 3), keepdims=True))


def zero_padding(sides):
    left, right, top, bottom = sides
    return Plain(lambda x: numpy.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right))))


NUMPY = types.SimpleNamespace(nn=types.SimpleNamespace(
    Sequential=lambda *modules: modules, Conv2d=Conv2d, Linear=Linear, BatchNorm1d=BatchNorm, BatchNorm2d=BatchNorm,
    MaxPool2d=pool(numpy.max), AvgPool2d=pool(numpy.mean), AdaptiveAvgPool2d=adaptive, ZeroPad2d=zero_padding,
    ReLU=lambda: Plain(lambda x: numpy.maximum(x, 0)),
    LeakyReLU=lambda slope: Plain(lambda x: numpy.where(x < 0, slope * x, x)),
    Dropout=lambda rate: Plain(lambda x: x), Flatten=lambda: Plain(lambda x: x.reshape(len(x), -1)),
    Unflatten=lambda side, shape: Plain(lambda x: x.reshape(len(x), *shape))))


def by_numpy(expression, arrays, images):
    """Logits [N, classes] in double precision, rounded nowhere."""
    modules = eval(expression, {"torch": NUMPY})
    expected = {f"{number}.{name}" for number, module in enumerate(modules) for name in module.names}
    if expected != arrays.keys():
        fail(f"expected the arrays {sorted(expected)}, found {sorted(arrays)}")
    results = []
    for start in range(0, len(images), BATCH):
        x = images[start:start + BATCH].astype(numpy.float64)
        for number, module in enumerate(modules):
            x = module({name: arrays[f"{number}.{name}"].astype(numpy.float64) for name in module.names}, x)
        results.append(x)
    return numpy.concatenate(results)


def by_torch(expression, arrays, images):
    network = eval(expression, {"torch": torch})
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()}, strict=True)
    with torch.no_grad():
        return network.eval()(torch.from_numpy(images.astype(numpy.float32))).numpy().astype(numpy.float64)


def softmax(logits):
    powers = numpy.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


class Judge:
    """Compares what was computed elsewhere with what the runtime says."""

    def __init__(self, predictions):
        """Reads what plain-predictions wrote: the class, and ten probabilities."""
        records = numpy.frombuffer(predictions, "<i4").reshape(COUNT, -1)
        self.labels = records[:, 0]
        self.probabilities = numpy.frombuffer(predictions, "<f4").reshape(COUNT, -1)[:, 1:]

    def difference(self, who, probabilities, tolerance):
        largest = float(numpy.abs(self.probabilities - probabilities).max())
        flipped = int((probabilities.argmax(1) != self.labels).sum())
        # Half precision may turn round what stands on the edge.
        if not largest <= tolerance or (flipped and tolerance <= 1e-5):
            fail(f"{who}: expected probabilities at most {tolerance} apart and the same labels, found {largest:.2g} and "
                 f"{flipped} of {COUNT} others")
        return f"{largest:.1e}" + (f" ({flipped} labels)" if flipped else "")


class Bench:
    def __init__(self, programs, data, work):
        self.programs, self.data, self.work = programs, data, work
        with gzip.open(data / "t10k-images-idx3-ubyte.gz") as opened:
            content = opened.read()
        pixels = content[16:16 + COUNT * 784]
        self.digits = work / "digits"
        self.digits.write_bytes(pixels)
        self.images = numpy.frombuffer(pixels, numpy.uint8).reshape(COUNT, 1, 28, 28) / 255

    def ink(self, name, *options):
        """What an .ink file of floats says, exported with some options."""
        path = self.work / f"{name}.ink"
        run(self.programs / "inkling-export", "--weights", "f32", "--output", path, *options)
        return self.judge(path)

    def judge(self, path):
        run(self.programs / "plain-predictions", path, self.digits, self.work / "predictions")
        return Judge((self.work / "predictions").read_bytes())

    def out(self, run_path, judge, weights, tolerance):
        """Exports a run as safetensors, and returns its arrays and the layers."""
        path = self.work / f"{run_path.name}-{weights}.safetensors"
        run(self.programs / "inkling-export", "--model", run_path, "--format", "safetensors",
            "--weights", weights, "--output", path)
        with safetensors.safe_open(path, framework="numpy") as opened:
            metadata = opened.metadata()
            arrays = {name: opened.get_tensor(name) for name in opened.keys()}
        if metadata["format"] != "pt":
            fail(f"{path.name}: expected format pt, found {metadata['format']}")
        kinds = {str(array.dtype) for name, array in arrays.items() if array.ndim > 1}
        if kinds != {"float32" if weights == "f32" else "float16"}:
            fail(f"{path.name}: expected weights of {weights}, found {kinds}")
        (header,) = struct.unpack("<Q", path.read_bytes()[:8])
        size, numbers = path.stat().st_size, sum(array.nbytes for array in arrays.values())
        if header % 8 or size != 8 + header + numbers or size > 1.05 * numbers + 4096:
            fail(f"{path.name}: expected {numbers} bytes of numbers at a multiple of 8 and little more, found {size}")
        expression = metadata["inkling.torch"]
        found = [f"NumPy {judge.difference(path.name, softmax(by_numpy(expression, arrays, self.images)), tolerance)}"]
        if torch:
            probabilities = softmax(by_torch(expression, arrays, self.images))
            found.append(f"PyTorch {judge.difference(path.name + ' by PyTorch', probabilities, tolerance)}")
        print(f"{path.name:26} {size:9,} bytes, furthest from the runtime: {', '.join(found)}", flush=True)
        return path, arrays, metadata

    def back(self, name, own, arrays, layers, judge):
        """Has files that Python wrote read again, and Inkling's own without being told the layers."""
        saved = self.work / f"{name}-saved"
        safetensors.numpy.save_file(arrays, f"{saved}.safetensors")
        numpy.savez(f"{saved}.npz", **arrays)
        numpy.savez_compressed(f"{saved}-small.npz", **arrays)
        found = []
        for path, options in [(own, [])] + [
                (pathlib.Path(f"{saved}{end}"), ["--layers", layers])
                for end in (".safetensors", ".npz", "-small.npz")]:
            result = self.ink(f"{name}-back", "--from", path, *options)
            found.append(judge.difference(f"inkling-export --from {path.name}", result.probabilities, 1e-6))
        print(f"{name:26} read again as its own file, safetensors and .npz: {', '.join(found)}", flush=True)

    def normalized(self, arrays, metadata):
        """Starts from weights as if they had been trained on normalised pixels, with steps too short to matter."""
        mean, deviation = 0.1307, 0.3081
        path = self.work / "normalized.npz"
        numpy.savez(path, **arrays)
        run(self.programs / "inkling-train", "--data", self.data, "--init", path,
            "--layers", metadata["inkling.layers"], "--mean", mean, "--std", deviation,
            "--epochs", 1, "--learning-rate", "1e-20", "--output", self.work / "run")
        expected = softmax(by_numpy(metadata["inkling.torch"], arrays, (self.images - mean) / deviation))
        found = self.ink("normalized", "--model", self.work / "run").difference("--mean and --std", expected, 1e-5)
        print(f"inkling-train --init with --mean and --std: {found}", flush=True)


def main():
    if len(sys.argv) != 4:
        fail(f"expected PROGRAMS RUNS DATA, found {sys.argv[1:]}\n{__doc__}")
    programs, runs, data = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    if not torch:
        print("NOT CHECKED BY PYTORCH: it is not installed; NumPy's modules stand in for it")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(programs, data, pathlib.Path(folder))
        paths = sorted(path for path in runs.iterdir() if (path / "best.ckpt").exists())
        if not paths:
            fail(f"expected runs in {runs}, found none")
        for path in paths:
            judge = bench.ink(path.name, "--model", path)
            own, arrays, metadata = bench.out(path, judge, "f32", 1e-5)
            bench.back(path.name, own, arrays, metadata["inkling.layers"], judge)
            bench.out(path, judge, "f16", 2e-3)
            if path.name == "mlp":
                bench.normalized(arrays, metadata)
    print(f"safetensors: {len(paths)} networks agree")


if __name__ == "__main__":
    main()
