"""Has inkling-export read ONNX files of all kinds that others write, and holds the result against ONNX Runtime.

usage: test-onnx-reading.py PROGRAMS RUNS DATA

PROGRAMS is the folder with inkling-export and plain-predictions, DATA that of the digits; RUNS is not needed. Each model
is made here, with the nodes that a known writer makes or with one special case, and random weights by seed. It has to
pass ONNX's checker; ONNX Runtime's probabilities for some digits are what the .ink file has to give. Then come models
that have to be refused, in one line that says where and why. PyTorch's own exporter is tried too, where it is there.
"""

import gzip
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx
import onnxruntime
from onnx import helper
from onnx_models import FLOAT, MODELS, REFUSALS, SAME, Graph

COUNT = 20


def fail(message):
    sys.exit(f"test-onnx-reading: {message}")


def require(condition, message):
    if not condition:
        fail(message)


def export(programs, path, ink, options=()):
    """Has the file read; gives the exit status and what was said."""
    command = [programs / "inkling-export", "--from", path, "--output", ink, "--weights", "f32", *options]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return result.returncode, result.stderr


def answers(programs, ink, pixels, work):
    """What the runtime's plain loops say: probabilities, [images, classes]."""
    images, found = work / "pixels", work / "predictions"
    images.write_bytes(pixels.tobytes())
    subprocess.run([str(programs / "plain-predictions"), str(ink), str(images), str(found)], check=True)
    words = numpy.frombuffer(found.read_bytes(), "<f4").reshape(len(pixels), -1)
    return words[:, 1:]


def pictures(digits, shape):
    """Digits as images of this many channels, rows and columns, in that order."""
    sizes = shape[1:]
    if len(sizes) == 3 and sizes[2] <= 4 < sizes[0]:
        sizes = [sizes[2], sizes[0], sizes[1]]
    if len(sizes) != 3:
        sizes = [1, 28, 28]
    channels, rows, columns = sizes
    stack = numpy.stack([numpy.roll(digits, 100 * channel, 0) for channel in range(channels)], 1)[:COUNT]
    return numpy.ascontiguousarray(stack[:, :, 28 - rows:, 28 - columns:])


def fed(pixels, shape, element, scale):
    """The same images as the file wants them."""
    if len(shape) == 4 and shape[-1] == pixels.shape[1] and shape[1] == pixels.shape[2]:
        pixels = pixels.transpose(0, 2, 3, 1)
    pixels = pixels.reshape(len(pixels), *shape[1:])
    if element == FLOAT:
        return pixels.astype(numpy.float32) * numpy.float32(scale)
    return pixels.astype(helper.tensor_dtype_to_np_dtype(element))


def reference(made, result, post, batch, name):
    """ONNX Runtime's probabilities, [images, classes]; labels alone as [images]."""
    options = onnxruntime.SessionOptions()
    # As the file says, not with whole numbers where that may be meant.
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    session = onnxruntime.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])
    entry = session.get_inputs()[0]
    step = entry.shape[0] if isinstance(entry.shape[0], int) else len(batch)
    parts = [session.run([result], {entry.name: batch[start:start + step]})[0] for start in range(0, len(batch), step)]
    scores = numpy.concatenate(parts).astype(numpy.float64)
    if post == "label":
        return scores.reshape(-1)
    scores = scores.reshape(len(batch), -1)
    if post == "logarithms":
        scores = numpy.exp(scores)
    if post == "scores":
        scores = numpy.exp(scores - scores.max(axis=1, keepdims=True))
        scores /= scores.sum(axis=1, keepdims=True)
    require(abs(scores.sum(axis=1) - 1).max() < 1e-5, f"{name}: ONNX Runtime's results are no probabilities")
    return scores


def agrees(programs, work, digits, name, made, result, post, element, scale, options, tolerance):
    path, ink = work / "model.onnx", work / "model.ink"
    path.write_bytes(made.SerializeToString())
    ink.unlink(missing_ok=True)
    shape = [d.dim_value or d.dim_param for d in made.graph.input[0].type.tensor_type.shape.dim]
    pixels = pictures(digits, shape)
    expected = reference(made, result, post, fed(pixels, shape, element, scale), name)
    if post == "label":
        require(len(set(expected)) > 1, f"{name}: every image has the same label, which tells nothing")
    else:
        spread = (expected.max(axis=0) - expected.min(axis=0)).max()
        require(spread > 100 * SAME, f"{name}: the images' probabilities hardly differ ({spread:.1e}), which tells nothing")
    status, said = export(programs, path, ink, options)
    require(status == 0, f"{name}: inkling-export ended with {status}: {said}")
    found = answers(programs, ink, pixels, work)
    if post == "label":
        require((found.argmax(axis=1) == expected).all(), f"{name}: labels differ")
        return 0
    require(found.shape == expected.shape, f"{name}: {found.shape} probabilities, expected {expected.shape}")
    off = abs(found - expected).max()
    require(off <= tolerance, f"{name}: probabilities are {off:.1e} off")
    return off


def refuses(programs, work, name, made, words):
    path, ink = work / "model.onnx", work / "model.ink"
    path.write_bytes(made if isinstance(made, bytes) else made.SerializeToString())
    ink.unlink(missing_ok=True)
    status, said = export(programs, path, ink)
    require(status == 65, f"{name}: inkling-export ended with {status} instead of 65: {said}")
    require(said.count("\n") == 1 and said.startswith(f"inkling-export: {path}: "), f"{name}: no line of error: {said}")
    require(words in said, f"{name}: the error does not say {words}: {said}")
    require(not ink.exists(), f"{name}: a file was written")


def torch_modules(torch):
    """Networks as PyTorch's own exporter writes them."""
    nn, functional = torch.nn, torch.nn.functional

    class Views(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Conv2d(1, 4, 3), nn.Linear(4 * 14 * 14, 10)

        def forward(self, x):
            x = functional.max_pool2d(functional.relu(self.first(functional.pad(x, (1, 1, 1, 1)))), 2)
            return functional.log_softmax(self.last(x.view(x.size(0), -1)), dim=1)

    class Means(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Conv2d(1, 10, 3, stride=2, padding=1), nn.Linear(10, 10)

        def forward(self, x):
            return torch.softmax(self.last(functional.leaky_relu(self.first((x - 0.1307) / 0.3081)).mean((2, 3))), 1)

    yield "views", "logarithms", Views()
    yield "means", "probabilities", Means()
    yield "sequential", "scores", nn.Sequential(
        nn.ZeroPad2d((1, 2, 0, 1)), nn.Conv2d(1, 8, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
        nn.MaxPool2d(3, 2, 1, ceil_mode=True), nn.Conv2d(8, 8, 3, groups=8), nn.LeakyReLU(0.2), nn.AvgPool2d(2),
        nn.Dropout(), nn.Flatten(), nn.Linear(288, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 10))
    yield "adaptive", "scores", nn.Sequential(
        nn.Conv2d(1, 6, 5, padding="same"), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(1), nn.Linear(6, 10))


def torch_models():
    """Name, model and what its scores are, as PyTorch writes it."""
    try:
        import torch
    except ImportError:
        print("test-onnx-reading: NOT TRIED: what PyTorch writes, since PyTorch is not installed")
        return
    torch.manual_seed(1)
    for name, post, module in torch_modules(torch):
        for parameter in module.parameters():
            parameter.data *= 2
        module.eval()
        for fixed, opset in [(True, 11), (False, 13), (False, 17)]:
            path = pathlib.Path(tempfile.mkdtemp()) / "torch.onnx"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                torch.onnx.export(
                    module, (torch.zeros(1, 1, 28, 28),), str(path), dynamo=False, opset_version=opset,
                    input_names=["image"], output_names=["scores"],
                    dynamic_axes={} if fixed else {"image": {0: "N"}, "scores": {0: "N"}})
            yield f"PyTorch, {name}, opset {opset}", post, onnx.load(path)


def main():
    programs, _, data = map(pathlib.Path, sys.argv[1:])
    with gzip.open(data / "t10k-images-idx3-ubyte.gz") as file:
        digits = numpy.frombuffer(file.read(), numpy.uint8, offset=16).reshape(-1, 28, 28)
    worst, count = (0, ""), 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name, make in MODELS.items():
            graph = make()
            made = graph.proto()
            onnx.checker.check_model(made, full_check=True)
            off = agrees(programs, work, digits, name, made, graph.result, graph.post, graph.element, graph.scale,
                         graph.options, graph.tolerance)
            if graph.tolerance == SAME:
                worst = max(worst, (off, name))
        print(f"test-onnx-reading: {len(MODELS)} models give ONNX Runtime's probabilities on {COUNT} digits, "
              f"at most {worst[0]:.1e} off ({worst[1]})")
        for name, post, made in torch_models():
            off = agrees(programs, work, digits, name, made, "scores", post, FLOAT, 1 / 255, [], SAME)
            worst, count = max(worst, (off, name)), count + 1
        if count:
            print(f"test-onnx-reading: so do {count} that PyTorch wrote")
        for name, (make, words) in REFUSALS.items():
            made = make()
            refuses(programs, work, name, made.proto() if isinstance(made, Graph) else made, words)
        print(f"test-onnx-reading: {len(REFUSALS)} files are refused, each with its reason")


if __name__ == "__main__":
    main()
