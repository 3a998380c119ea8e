"""Exports trained networks as ONNX and holds ONNX Runtime against Inkling's own runtime, on the test digits.

usage: test-onnx.py PROGRAMS RUNS DATA

PROGRAMS is the folder with inkling-export and plain-predictions, RUNS one with a folder for each trained network, DATA
that of the digits. Every file has to pass ONNX's checker, to be small, to say what it is, and to give the labels and
probabilities of the .ink file with the same weights: for one image and for all at once.
"""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime

# The arguments of inkling-export for both formats, by what is printed.
STORAGES = {
    "f32": ["--weights", "f32"],
    "f16": ["--weights", "f16"],
    "int8": ["--weights", "int8"],
    "int8 whole": ["--weights", "int8", "--calibrate"],
    "int4": ["--weights", "int4"],
    "int4 whole": ["--weights", "int4", "--calibrate"],
}
# The same weights and arithmetic with floats: sums in another order.
SAME = 1e-5
# Half-precision weights against float32 ones.
HALF = 2e-3
# Whole numbers: where a value lies just between two bytes, sums in another order round it the other way, and all that
# follows from that byte differs. That befalls few images.
WHOLE = 0.05
WHOLE_SHARE = 0.01
# By itself ONNX Runtime also rounds the biases, to multiples of weight scale times input scale: more images differ then,
# and labels that are in doubt, of which networks of little training have many.
ROUNDED = 0.1
ROUNDED_FLIPS = 20
INPUTS = ["uint8", "float"]
# The newest is not written, but the usual one's nodes mean the same in it. ONNX Runtime 1.32 has no DequantizeLinear of
# opset 28.
OLDEST, USUAL, NEWEST = 13, 21, 27
# The version of the file's layout that came with each opset.
LAYOUTS = {13: 7, 21: 10, 27: 13}
# The largest file: so many times the weights, and for the rest some bytes.
SIZE_FACTOR, SIZE_REST = 1.05, 4096


def main():
    programs, runs, data = map(pathlib.Path, sys.argv[1:])
    digits, truths = idx(data / "t10k-images-idx3-ubyte.gz"), idx(data / "t10k-labels-idx1-ubyte.gz")
    require(len(digits) == len(truths) == 1000, f"{len(digits)} digits in {data}")
    networks = sorted(runs.iterdir())
    require(networks, f"no runs in {runs}")
    count = 0
    with tempfile.TemporaryDirectory() as work:
        for run in networks:
            count += test(programs, run, data, digits, truths, pathlib.Path(work))
    print(f"test-onnx: {count} files of {len(networks)} networks agree with the runtime, on {len(digits)} digits")


def test(programs, run, data, digits, truths, work):
    """Exports one network in every way, and returns the number of files."""
    images = digits[:, None]
    floats, count = None, 0
    for storage, arguments in STORAGES.items():
        is_whole = storage.endswith("whole")
        options = [*arguments, *([data] if is_whole else [])]
        export = [programs / "inkling-export", "--model", run, *options, "--output"]
        ink = work / "model.ink"
        command([*export, ink])
        expected = reference(programs, ink, digits, work)
        floats = expected if floats is None else floats
        for opset in (OLDEST, USUAL):
            for element in INPUTS:
                path = work / "model.onnx"
                path.unlink(missing_ok=True)
                variant = ["--format", "onnx", "--onnx-opset", str(opset), "--onnx-input", element]
                if opset == OLDEST and storage.startswith("int4"):
                    refuses([*export, path, *variant], path)
                    continue
                command([*export, path, *variant])
                what = f"{run.name}, {storage}, opset {opset}, {element}"
                check(path, opset, element, what)
                fed = images if element == "uint8" else images.astype(numpy.float32)
                found = answers(path.read_bytes(), fed, what, exact=is_whole)
                compare(found, expected, floats, storage, what)
                if is_whole:
                    rounded = answers(path.read_bytes(), fed, what)
                    compare(rounded, expected, floats, None, f"{what}, biases rounded")
                count += 1
        later = onnx.load(path)
        later.opset_import[0].version, later.ir_version = NEWEST, LAYOUTS[NEWEST]
        onnx.checker.check_model(later, full_check=True)
        what += f", as opset {NEWEST}"
        compare(answers(later.SerializeToString(), fed, what, exact=is_whole), expected, floats, storage, what)
        print(f"test-onnx: {run.name:9} {storage:10} {path.stat().st_size:9,} bytes, {largest(found, expected):.1e} off "
              f"the .ink file, {largest(found, floats):.1e} off f32; {flips(found, expected)} and "
              f"{flips(found, floats)} labels flipped; {(found[1] == truths).mean():.1%} right")
        if is_whole:
            print(f"test-onnx: {run.name:9} {storage:10} with biases rounded by ONNX Runtime: "
                  f"{largest(rounded, expected):.1e} off the .ink file, {flips(rounded, expected)} labels flipped")
    return count


def check(path, opset, element, what):
    """The checker's and the shape inference's verdict, and what the file says of itself."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    found = (model.opset_import[0].version, model.ir_version, len(model.opset_import))
    require(found == (opset, LAYOUTS[opset], 1), f"{what}: opset and layout are {found}")
    values = [(value.name, value.type.tensor_type) for value in [*model.graph.input, *model.graph.output]]
    shapes = [(name, kind.elem_type, [d.dim_param or d.dim_value for d in kind.shape.dim]) for name, kind in values]
    kind = onnx.TensorProto.UINT8 if element == "uint8" else onnx.TensorProto.FLOAT
    expected = [("image", kind, ["N", 1, 28, 28]), ("probabilities", onnx.TensorProto.FLOAT, ["N", 10]),
                ("label", onnx.TensorProto.INT64, ["N"])]
    require(shapes == expected, f"{what}: input and outputs are {shapes}")
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    names, numbers = json.loads(metadata["classNames"]), json.loads(metadata["labelValues"])
    require(names == [str(digit) for digit in range(10)], f"{what}: the classes are {names}")
    require(numbers == list(range(10)), f"{what}: the label values are {numbers}")
    weights = sum(len(tensor.raw_data) for tensor in model.graph.initializer)
    size = path.stat().st_size
    require(size <= SIZE_FACTOR * weights + SIZE_REST, f"{what}: {size} bytes for {weights} of weights")


def answers(model, images, what, exact=False):
    """ONNX Runtime's probabilities and labels, for all images at once; those of single images are close to them.

    With `exact` it computes what the file says; else it takes what is to be whole numbers for a hint.
    """
    options = onnxruntime.SessionOptions()
    if exact:
        options.add_session_config_entry("session.disable_quant_qdq", "1")
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    probabilities, labels = session.run(["probabilities", "label"], {"image": images})
    require(probabilities.shape == (len(images), 10), f"{what}: probabilities of {probabilities.shape}")
    require(labels.shape == (len(images),), f"{what}: labels of {labels.shape}")
    for index in range(0, len(images), 50):
        single, label = session.run(["probabilities", "label"], {"image": images[index:index + 1]})
        off = abs(single[0] - probabilities[index]).max()
        require(off <= (ROUNDED if "whole" in what else SAME), f"{what}: image {index} alone is {off} off")
        require(label[0] == single[0].argmax(), f"{what}: label {label} of image {index}")
    return probabilities, labels


def compare(found, expected, floats, storage, what):
    off, other = largest(found, expected), flips(found, expected)
    beyond = (abs(found[0] - expected[0]).max(axis=1) > SAME).mean()
    if storage is None:
        require(off <= ROUNDED and other <= ROUNDED_FLIPS, f"{what}: {off} off the .ink file, {other} labels flipped")
        return
    if storage.endswith("whole"):
        require(off <= WHOLE and beyond <= WHOLE_SHARE, f"{what}: {off} off the .ink file, {beyond:.1%} beyond {SAME}")
        require(other <= WHOLE_SHARE * len(found[1]), f"{what}: {other} labels other than by the .ink file")
        return
    require(off <= SAME, f"{what}: {off} off the .ink file")
    require(other == 0, f"{what}: {other} labels other than by the .ink file")
    if storage == "f16":
        off = largest(found, floats)
        require(off <= HALF, f"{what}: {off} off f32")


def largest(found, expected):
    return abs(found[0] - expected[0]).max()


def flips(found, expected):
    return (found[1] != expected[1]).sum()


def reference(programs, model, digits, work):
    """The probabilities and labels of Inkling's plain loops."""
    (work / "digits").write_bytes(digits.tobytes())
    command([programs / "plain-predictions", model, work / "digits", work / "predictions"])
    records = numpy.fromfile(work / "predictions", dtype=[("label", "<i4"), ("probabilities", "<f4", 10)])
    require(len(records) == len(digits), f"{len(records)} predictions of {len(digits)}")
    return records["probabilities"], records["label"]


def idx(path):
    content = gzip.decompress(path.read_bytes())
    rank = content[3]
    shape = numpy.frombuffer(content, ">u4", rank, 4)
    return numpy.frombuffer(content, numpy.uint8, offset=4 + 4 * rank).reshape(shape)


def command(arguments):
    result = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    require(result.returncode == 0, f"{' '.join(map(str, arguments))}: {result.stderr}")


def refuses(arguments, path):
    """Whether a program says in one line what is wrong, and writes nothing."""
    result = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    require(result.returncode in (64, 65), f"status {result.returncode} for int4 at opset {OLDEST}: {result.stderr}")
    lines = [line for line in result.stderr.splitlines() if "int4" in line and "opset" in line]
    require(len(lines) == 1, f"int4 at opset {OLDEST}: {result.stderr}")
    require(not path.exists(), f"{path} is there though it was refused")


def require(condition, message):
    if not condition:
        sys.exit(f"test-onnx: {message}")


main()
