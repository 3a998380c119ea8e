#!/usr/bin/env python3
"""Holds inkling.wasm and a Cortex-M4 against the plain loops of this machine, on all 1,000 test digits.

usage: test-embedded.py PROGRAMS DATA

PROGRAMS is the folder with inkling-train, inkling-export and plain-predictions. A LeNet-5 is trained for some
seconds and exported with float and with whole-number arithmetic. The same classes are expected everywhere,
probabilities of float arithmetic within 1e-5, those of whole numbers bit for bit. Sizes and times are printed.
"""

import array
import gzip
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WASM = ROOT / ".build" / "wasm"
EMBEDDED = ROOT / ".build" / "embedded"
# What a file of each kind is made with, and how far probabilities may be apart.
MODELS = {
    "f32": (["--weights", "f32"], 1e-5),
    "f16": (["--weights", "f16"], 1e-5),
    "int8": (["--weights", "int8", "--calibrate"], 0),
    "int4": (["--weights", "int4", "--calibrate"], 0),
}
CLASSES = 10
RECORD = 4 * (1 + CLASSES)
FNV_START, FNV_PRIME = 2166136261, 16777619
# Bytes: what the issue allows for the module, and a Cortex-M4's memory.
MOST_RAW, MOST_GZIP, RAM = 24_000, 12_000, 32_768


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


def on_cortex_m(model, digits, work):
    """The predictions of an image under QEMU, and a line on its size."""
    image = EMBEDDED / f"{model.stem}.elf"
    run(ROOT / "Scripts/build-embedded.sh", model, image, RAM)
    qemu = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
            "-semihosting-config", "enable=on,target=native", "-kernel", image]
    # An instruction takes a nanosecond there, a tick of the 25 MHz clock 40: counted on one digit, since it is slow.
    (work / "digits.bin").write_bytes(digits[:784])
    run(*qemu, "-icount", "shift=0", cwd=work, timeout=60)
    ticks = struct.unpack("<5I", (work / "figures.bin").read_bytes())[4]
    (work / "digits.bin").write_bytes(digits)
    run(*qemu, cwd=work, timeout=300)
    count, variables, buffers, stack, _ = struct.unpack("<5I", (work / "figures.bin").read_bytes())
    if count * 784 != len(digits):
        sys.exit(f"{model.name} on Cortex-M4: {count} digits were read of {len(digits) // 784}")
    # The last of the sections that are loaded ends where flash ends.
    flash = flash_size(image)
    used = variables + buffers + stack
    if used > RAM:
        sys.exit(f"{model.name} on Cortex-M4: {used} bytes of RAM, at most {RAM} are allowed")
    figures = (f"flash {flash:,} bytes, {model.stat().st_size:,} of them the model; RAM {used:,} bytes: "
               f"{buffers:,} buffers, {stack:,} stack; {ticks * 40 / 1e6:.1f} M instructions a digit")
    return (work / "predictions.bin").read_bytes(), figures


def flash_size(image):
    """What an ELF file loads, in bytes: the sum of its segments' sizes in the file."""
    data = image.read_bytes()
    start, (size, count) = struct.unpack_from("<I", data, 28)[0], struct.unpack_from("<2H", data, 42)
    headers = [struct.unpack_from("<8I", data, start + size * index) for index in range(count)]
    return sum(header[4] for header in headers if header[0] == 1)


def main(programs, data, work):
    programs, data = pathlib.Path(programs).resolve(), pathlib.Path(data).resolve()
    # Behind the headers of 16 and 8 bytes.
    digits = gzip.decompress((data / "t10k-images-idx3-ubyte.gz").read_bytes())[16:]
    truths = gzip.decompress((data / "t10k-labels-idx1-ubyte.gz").read_bytes())[8:]
    digits_path = work / "all-digits"
    digits_path.write_bytes(digits)
    print(run(ROOT / "Scripts/build-wasm.sh"), end="")
    raw = (WASM / "inkling.wasm").read_bytes()
    if len(raw) > MOST_RAW or len(gzip.compress(raw, 9)) > MOST_GZIP:
        sys.exit(f"inkling.wasm: at most {MOST_RAW} bytes, {MOST_GZIP} with gzip, are allowed")
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
        found, figures = on_cortex_m(model, digits, work)
        print(f"  Cortex-M4 in QEMU: {compare(f'{name} on Cortex-M4', expected, found, tolerance)}\n    {figures}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(sys.argv[1], sys.argv[2], pathlib.Path(folder))
