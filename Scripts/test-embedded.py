#!/usr/bin/env python3
"""Holds inkling.wasm and a Cortex-M4 against the plain loops of this machine, on all 1,000 test digits, and draw.wasm on
the golden drawings of Ink.

usage: test-embedded.py PROGRAMS DATA

PROGRAMS is the folder with inkling-train, inkling-export, plain-predictions and drawing-predictions. A LeNet-5 is trained for some
seconds and exported with float and with whole-number arithmetic. The same classes are expected everywhere,
probabilities of float arithmetic within 1e-5, those of whole numbers bit for bit; of drawings the same bits throughout.
The committed draw.wasm must be what its sources make. Sizes and times are printed.
"""

import array
import base64
import gzip
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WASM = ROOT / ".build" / "wasm"
PAGE = ROOT / "Sources/Interchange/WebPage/Resources"
DRAWINGS = ROOT / "Tests/InkTests/Golden/drawings.json"
# What a file of each kind is made with, and how far probabilities may be apart.
MODELS = {
    "f32": (["--weights", "f32"], 1e-5),
    "f16": (["--weights", "f16"], 1e-5),
    "int8": (["--weights", "int8", "--calibrate"], 0),
    "int4": (["--weights", "int4", "--calibrate"], 0),
}
CLASSES = 10
PICTURE = 28 * 28
RECORD = 4 * (1 + CLASSES)
FNV_START, FNV_PRIME = 2166136261, 16777619
# The bytes that inkling.wasm may have, raw and with gzip.
MOST_RAW, MOST_GZIP = 24_000, 12_000


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True, stdout=subprocess.PIPE,
                          **options).stdout


def classes(records):
    return [struct.unpack_from("<i", records, at)[0] for at in range(0, len(records), RECORD)]


def probabilities(records):
    numbers = array.array("f")
    for at in range(0, len(records), RECORD):
        numbers.frombytes(records[at + 4:at + RECORD])
    return numbers


def compare(name, expected, found, tolerance):
    """Ends the test unless `found` is as good as `expected`; says how close it is."""
    if len(found) != len(expected):
        sys.exit(f"{name}: expected {len(expected)} bytes of predictions, found {len(found)}")
    different = sum(a != b for a, b in zip(classes(expected), classes(found)))
    if different:
        sys.exit(f"{name}: {different} digits get another class than on this machine")
    if found == expected:
        return "same bits"
    distance = max(abs(a - b) for a, b in zip(probabilities(expected), probabilities(found)))
    # Written so that NaN fails.
    if not distance <= tolerance:
        sys.exit(f"{name}: probabilities are {distance:.1e} from those of this machine; at most {tolerance} are allowed")
    return f"within {distance:.0e}"


def fnv(data):
    digest = FNV_START
    for byte in data:
        digest = (digest ^ byte) * FNV_PRIME & 0xFFFFFFFF
    return digest


def in_wasmkit(model, digits, expected, work):
    """The toolchain's interpreter takes numbers only: model and digits are linked in, a digest comes out."""
    objects = WASM / "inkling-scalar.objects"
    run("clang", "-target", "wasm32-unknown-none-wasm", "-mbulk-memory", "-std=c23", "-Wall", "-Wextra", "-Werror",
        "-O2", "-ffreestanding", f'-DMODEL="{model}"', f'-DDIGITS="{digits}"', "-c",
        ROOT / "Tests/Embedded/Digest.c", "-o", work / "digest.o")
    run("wasm-ld", "--no-entry", "--gc-sections", "--export=digest", *sorted(objects.glob("*.o")),
        work / "digest.o", "-o", work / "digest.wasm")
    output = run("wasmkit", "run", work / "digest.wasm", "digest", f"i32:{len(expected) // RECORD}")
    found = int(re.search(r"i32\((\d+)\)", output, re.IGNORECASE)[1])
    if found != fnv(expected):
        sys.exit(f"{model.name} in wasmkit: digest {found:08x}, expected {fnv(expected):08x}: other bits")
    return "same bits"


def drawings(programs, model, work):
    """Drawings on this machine and in draw.wasm; the time in Node."""
    run(programs / "drawing-predictions", model, DRAWINGS, work / "expected-drawings")
    time = run("node", ROOT / "Tests/Embedded/drawings.mjs", PAGE / "recognizer.js", PAGE / "draw.wasm", model, DRAWINGS,
               work / "found-drawings")
    expected, found = ((work / name).read_bytes() for name in ("expected-drawings", "found-drawings"))
    names = [drawing["name"] for drawing in json.loads(DRAWINGS.read_text())] + ["a million points"]
    size = PICTURE + RECORD
    if len(expected) != size * len(names) or len(found) != len(expected):
        sys.exit(f"draw.wasm: expected {size * len(names)} bytes for {len(names)} drawings, found {len(found)}")
    golden = [base64.b64decode(drawing["picture"]) for drawing in json.loads(DRAWINGS.read_text())]
    for place, name in enumerate(names):
        mine, theirs = (records[size * place:size * (place + 1)] for records in (expected, found))
        if place < len(golden) and theirs[:PICTURE] != golden[place]:
            sys.exit(f"draw.wasm: {name} gives another picture than Scripts/make-golden-drawings.py")
        if theirs != mine:
            part = "picture" if theirs[:PICTURE] != mine[:PICTURE] else "answer"
            sys.exit(f"draw.wasm: {name} gives another {part} than on this machine")
    return len(names), time


def refusal(digits_path):
    """Ends the test unless the network that comes along refuses a bar and takes a digit, in Node."""
    answer = run("node", ROOT / "Tests/Embedded/refusal.mjs", WASM / "inkling.wasm", ROOT / "Data/models/digits.ink",
                 digits_path)
    if answer.split() != ["true", "false"]:
        sys.exit(f"digits.ink in Node: expected a bar refused and a digit taken, found {answer.strip()}")


def committed():
    """Ends the test unless the committed draw.wasm is what its sources make."""
    if (PAGE / "draw.wasm").read_bytes() != (WASM / "draw.wasm").read_bytes():
        version = run("swiftc", "--version", stderr=subprocess.DEVNULL).splitlines()[0]
        sys.exit(f"{PAGE.relative_to(ROOT)}/draw.wasm: expected what {version} makes of Sources/Inference, Ink and "
                 "inkling-wasm, found other bytes; run `make draw-wasm` and commit the file")


def main(programs, data, work):
    programs, data = pathlib.Path(programs).resolve(), pathlib.Path(data).resolve()
    # Behind the headers of 16 and 8 bytes.
    digits = gzip.decompress((data / "t10k-images-idx3-ubyte.gz").read_bytes())[16:]
    truths = gzip.decompress((data / "t10k-labels-idx1-ubyte.gz").read_bytes())[8:]
    digits_path = work / "all-digits"
    digits_path.write_bytes(digits)
    print(run(ROOT / "Scripts/build-wasm.sh"), end="")
    committed()
    raw = (WASM / "inkling.wasm").read_bytes()
    if len(raw) > MOST_RAW or len(gzip.compress(raw, 9)) > MOST_GZIP:
        sys.exit(f"inkling.wasm: at most {MOST_RAW} bytes, {MOST_GZIP} with gzip, are allowed")
    refusal(digits_path)
    run(programs / "inkling-train", "--data", data, "--preset", "lenet5", "--epochs", 5, "--output", work / "run",
        stderr=subprocess.DEVNULL)
    for name, (options, tolerance) in MODELS.items():
        model = work / f"{name}.ink"
        options = options + ([data] if options[-1] == "--calibrate" else [])
        run(programs / "inkling-export", "--model", work / "run", "--output", model, *options,
            stderr=subprocess.DEVNULL)
        run(programs / "plain-predictions", model, digits_path, work / "expected")
        expected = (work / "expected").read_bytes()
        right = sum(a == b for a, b in zip(classes(expected), truths))
        print(f"\n{name}: {right} of {len(truths):,} digits right on this machine")
        # A network that has learnt nothing would make the comparison an empty one.
        if right < 900:
            sys.exit(f"{name}: only {right} digits are right")
        for variant in ["inkling", "inkling-scalar"]:
            time = run("node", ROOT / "Tests/Embedded/predictions.mjs", WASM / f"{variant}.wasm", model, digits_path,
                       work / "found")
            closeness = compare(f"{name} in {variant}.wasm", expected, (work / "found").read_bytes(), tolerance)
            print(f"  {variant}.wasm in Node: {closeness}; {time.strip()} µs a digit")
        print(f"  inkling-scalar.wasm in wasmkit: {in_wasmkit(model, digits_path, expected, work)}")
        count, time = drawings(programs, model, work)
        print(f"  draw.wasm in Node: same bits for {count} drawings; {time.strip()} µs a digit")
        figures = run(ROOT / "Scripts/run-embedded.py", model, data, work / "found")
        closeness = compare(f"{name} on Cortex-M4", expected, (work / "found").read_bytes(), tolerance)
        print(f"  Cortex-M4 in QEMU: {closeness}\n    {figures.strip()}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(sys.argv[1], sys.argv[2], pathlib.Path(folder))
