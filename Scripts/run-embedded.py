#!/usr/bin/env python3
"""Runs a network on a Cortex-M4 in QEMU, on all test digits of a folder, and says how many it gets right.

usage: run-embedded.py MODEL.ink DATA [PREDICTIONS]

The image is built first, into .build/embedded, and its flash, its RAM and its instructions are printed. PREDICTIONS
gets for each digit the class, as a 32-bit number, and the probabilities as floats.
"""

import gzip
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# In bytes. The image does not link if it needs more.
RAM = 32_768


def emulate(image, work, *options):
    """Runs an image that finds its digits in the folder `work`, and leaves its predictions there."""
    command = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
               "-semihosting-config", "enable=on,target=native", *options, "-kernel", str(image)]
    status = subprocess.run(command, cwd=work, stdin=subprocess.DEVNULL, timeout=300).returncode
    if status != 0:
        found = {1: "it takes the model for no network", 2: "it cannot read or write its files", 3: "a fault"}
        sys.exit(f"{image.name} on Cortex-M4: {found.get(status, f'status {status}')}")
    return struct.unpack("<5I", (work / "figures.bin").read_bytes())


def flash_size(image):
    """What an ELF file loads, in bytes: the sum of its segments' sizes in the file."""
    data = image.read_bytes()
    start, (size, count) = struct.unpack_from("<I", data, 28)[0], struct.unpack_from("<2H", data, 42)
    headers = [struct.unpack_from("<8I", data, start + size * index) for index in range(count)]
    return sum(header[4] for header in headers if header[0] == 1)


def main(model, data, predictions, work):
    # Behind the headers of 16 and 8 bytes.
    digits = gzip.decompress((data / "t10k-images-idx3-ubyte.gz").read_bytes())[16:]
    truths = gzip.decompress((data / "t10k-labels-idx1-ubyte.gz").read_bytes())[8:]
    size = len(digits) // len(truths)
    image = ROOT / ".build/embedded" / f"{model.stem}.elf"
    subprocess.run([ROOT / "Scripts/build-embedded.sh", model, image, str(RAM)], check=True)

    # An instruction takes a nanosecond there, a tick of the 25 MHz clock 40: counted on one digit, since it is slow.
    (work / "digits.bin").write_bytes(digits[:size])
    instructions = 40 * emulate(image, work, "-icount", "shift=0")[4]
    (work / "digits.bin").write_bytes(digits)
    count, variables, buffers, stack, _ = emulate(image, work)
    if count != len(truths):
        sys.exit(f"{image.name} on Cortex-M4: expected {len(truths)} digits of {size} bytes, {count} were read")
    used = variables + buffers + stack
    if used > RAM:
        sys.exit(f"{image.name} on Cortex-M4: {used} bytes of RAM, at most {RAM} are allowed")

    records = (work / "predictions.bin").read_bytes()
    classes = [at[0] for at in struct.iter_unpack(f"<i{len(records) // count - 4}x", records)]
    right = sum(a == b for a, b in zip(classes, truths))
    flash = flash_size(image)
    print(f"{model.name} on Cortex-M4: {right} of {count:,} digits right; flash {flash:,} bytes, "
          f"{model.stat().st_size:,} of them the model; RAM {used:,} bytes: {variables:,} variables, "
          f"{buffers:,} buffers, {stack:,} stack; {instructions / 1e6:.1f} M instructions a digit")
    if predictions:
        pathlib.Path(predictions).write_bytes(records)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: run-embedded.py MODEL.ink DATA [PREDICTIONS]")
    with tempfile.TemporaryDirectory() as folder:
        main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), (sys.argv + [None])[3], pathlib.Path(folder))
