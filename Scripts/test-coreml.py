"""Has every layer of exported Core ML models computed by coreml_interpreter.py, and holds it against Inkling's runtime.

usage: test-coreml.py PROGRAMS RUNS

PROGRAMS is the folder with inkling-export and plain-predictions, RUNS one with run folders of networks of digits. Each is
exported with weights of each kind, to be updated, and with nearest neighbours; 1,000 test digits are the judges. Files
are read with coremltools' protobuf classes; must have the version that their contents need, and no more bytes than 1.05
times the weights and 4 kB.
"""

import gzip
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import coreml_interpreter

DATA = pathlib.Path(__file__).resolve().parent.parent / "Data" / "mnist-5k"
# Of weights: the bits, the version of the format, the kind of .ink file that says what is right, and how far
# probabilities may be from it. Halves are held against what they were rounded from, whole numbers against themselves.
WEIGHTS = {
    "f32": (32, 1, "f32", 1e-5),
    "f16": (16, 2, "f32", 2e-3),
    "int8": (8, 3, "int8", 1e-4),
    "int4": (4, 3, "int4", 1e-4),
}
PLAIN, DRAWING = ["image", "classLabel", "labelProbabilities"], ["drawing", "label", "labelProbs"]
# Digits that a model is updated with, and of each class those that neighbours are made of.
UPDATES, SHOTS = 320, 5
# The share that five examples of each digit must find; by chance it were 0.1.
LEAST_FOUND = 0.5


def main():
    programs, runs = map(pathlib.Path, sys.argv[1:])
    found = [run for run in sorted(runs.iterdir()) if (run / "best.ckpt").exists()]
    require(found, f"{runs}: no run folders")
    for run in found:
        with tempfile.TemporaryDirectory() as work:
            test = Test(programs, run, pathlib.Path(work))
            test.plain()
            test.updatable()
            test.neighbors()
    print(f"test-coreml: {len(found)} networks are right")


class Test:
    def __init__(self, programs, run, work):
        self.programs, self.run, self.work = programs, run, work
        self.images, self.labels = digits("t10k")
        self.images, self.labels = self.images[:1000], self.labels[:1000]

    def plain(self):
        for weights, (bits, version, truth, tolerance) in WEIGHTS.items():
            path, network = self.exported("--weights", weights)
            self.require_description(network.model, version, PLAIN, [])
            size = sum(layer.weights.size for layer in network.layers if hasattr(layer, "weights")) * bits // 8
            byte_count = path.stat().st_size
            require(byte_count <= 1.05 * size + 4096, f"{path.name} has {byte_count} bytes for {size} of weights")
            labels, probabilities = network.predict(self.images)
            expected = self.truth(truth)
            distance = float(np.abs(probabilities - expected).max())
            flipped = sum(int(label) != best for label, best in zip(labels, expected.argmax(1)))
            accuracy = np.mean(np.array(labels, int) == self.labels)
            self.say(f"{weights}: {byte_count:,} bytes for {size:,} of weights, probabilities within {distance:.1e}, "
                     f"{flipped} labels flipped, accuracy {accuracy:.1%}")
            # Written so that NaN fails.
            require(distance <= tolerance, f"probabilities are {distance:.1e} from those of the .ink file")
            require(weights != "f32" or not flipped, f"{flipped} labels flipped")

    def updatable(self):
        _, network = self.exported("--weights", "f32", "--updatable")
        self.require_description(network.model, 4, DRAWING, ["drawing", "label"])
        distance = float(np.abs(network.predict(self.images)[1] - self.truth("f32")).max())
        require(distance <= 1e-5, f"to be updated: probabilities are {distance:.1e} off")
        trained = [layer.message.name for layer in network.layers if layer.trained]
        require(trained and all(name.startswith("dense") for name in trained), f"layers to be updated: {trained}")
        images, labels = self.examples(UPDATES)
        losses = [network.loss(images, labels)]
        for _ in range(2):
            network.update(images, labels, epochs=1)
            losses.append(network.loss(images, labels))
        self.say(f"{', '.join(trained)} updated: loss " + " → ".join(f"{loss:.4f}" for loss in losses))
        require(losses[2] < losses[1] < losses[0], "an epoch does not bring the loss down")
        # Nothing but floats can be updated.
        refused = self.work / "refused.mlmodel"
        result = self.export(refused, "--format", "coreml", "--weights", "int8", "--updatable")
        require(result.returncode != 0 and result.stderr.count("\n") == 1 and not refused.exists(),
                f"int8 weights to be updated: status {result.returncode}\n{result.stderr}")

    def neighbors(self):
        for weights in ("f32", "int8"):
            _, pipeline = self.exported("--weights", weights, "--updatable-knn")
            self.require_description(pipeline.model, 4, DRAWING, ["drawing", "label"])
            labels, _ = pipeline.predict(self.images[:10])
            require(set(labels) == {"unknown"}, f"without examples: {labels}")
            images, labels = self.examples(UPDATES)
            chosen = [at for digit in "0123456789" for at in [i for i, label in enumerate(labels) if label == digit][:SHOTS]]
            pipeline.update(images[chosen], [labels[at] for at in chosen])
            labels, probabilities = pipeline.predict(self.images)
            sums = [sum(part.values()) for part in probabilities]
            require(max(abs(total - 1) for total in sums) < 1e-5, "probabilities that do not add up to 1")
            accuracy = np.mean(np.array(labels, int) == self.labels)
            self.say(f"neighbours of {len(chosen)} examples, {weights}: accuracy {accuracy:.1%}")
            require(accuracy >= LEAST_FOUND, f"{SHOTS} examples of each digit find {accuracy:.1%}")

    def examples(self, count):
        """Training digits, with their labels as strings."""
        images, labels = digits("train")
        return images[:count], [str(label) for label in labels[:count]]

    def exported(self, *options):
        path = self.work / ("-".join(option.strip("-") for option in options) + ".mlmodel")
        result = self.export(path, "--format", "coreml", *options)
        require(result.returncode == 0, result.stderr)
        return path, coreml_interpreter.read(path)

    def truth(self, weights):
        """Probabilities as the runtime's plain loops compute them, [images, classes]."""
        model, pixels, records = (self.work / name for name in (f"{weights}.ink", "pixels", "records"))
        if not model.exists():
            result = self.export(model, "--weights", weights)
            require(result.returncode == 0, result.stderr)
        pixels.write_bytes(self.images.tobytes())
        subprocess.run([self.programs / "plain-predictions", model, pixels, records], check=True)
        # Of each image the class, as an integer, and the probabilities.
        return np.frombuffer(records.read_bytes(), "<f4").reshape(len(self.images), -1)[:, 1:]

    def export(self, path, *options):
        command = [self.programs / "inkling-export", "--model", self.run, "--output", path, *options]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def require_description(self, model, version, names, training):
        description = model.description
        (image,), (label, probabilities) = description.input, description.output
        require(model.specificationVersion == version, f"version {model.specificationVersion}, not {version}")
        require([image.name, label.name, probabilities.name] == names, f"names {image.name}, {label.name}")
        require([description.predictedFeatureName, description.predictedProbabilitiesName] == names[1:], "answers")
        require([part.name for part in description.trainingInput] == training, "training inputs")
        require(model.isUpdatable == bool(training), "isUpdatable")
        require(not training or list(description.trainingInput) == [image, label], "types of training inputs")
        kinds = [part.type.WhichOneof("Type") for part in (image, label, probabilities)]
        require(kinds == ["imageType", "stringType", "dictionaryType"], f"types {kinds}")
        require(description.metadata.shortDescription, "no description")

    def say(self, text):
        print(f"test-coreml: {self.run.name}: {text}", flush=True)


def digits(part):
    """Pixels [images, 1, height, width] and labels."""
    images, labels = (
        np.frombuffer(gzip.open(DATA / f"{part}-{name}-ubyte.gz").read(), np.uint8, offset=offset)
        for name, offset in (("images-idx3", 16), ("labels-idx1", 8)))
    return images.reshape(-1, 1, 28, 28), labels


def require(condition, message):
    if not condition:
        sys.exit(f"test-coreml: {message}")


main()
