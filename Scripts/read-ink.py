#!/usr/bin/env python3
"""read-ink.py FILE: prints what is in an .ink file, as JSON. Written from the documentation's page on the format."""

import json
import struct
import sys
import zlib

# By kind, from 1 on: name and fields, each a name and how struct says it; tensors by their number, where there is one.
OPERATIONS = [line.split() for line in """\
convolution activation:B filters:H window:4B padding:4B groups:H weights:tensor bias:tensor
dense activation:B outputs:I weights:tensor bias:tensor
maximumPool window:4B\naveragePool window:4B\nglobalAveragePool\nflatten\nsoftmax
activation activation:B\naffine scale:tensor shift:tensor""".splitlines()]


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values if len(values) > 1 else values[0]

    def text(self, layout):
        return self.take(f"{self.take(layout)}s").decode()

    def operation(self):
        kind, *layouts = OPERATIONS[self.take("B") - 1]
        fields = {"kind": kind}
        for name, layout in (layout.split(":") for layout in layouts):
            fields[name] = value = self.take(layout.replace("tensor", "H"))
            if name == "activation":
                fields[name] = ["none", "relu", "leakyRelu"][value & 0x7F]
                fields |= {"slope": self.take("f")} if value & 0x7F == 2 else {}
                fields |= dict(zip(("inputScale", "outputScale"), self.take("ff"))) if value & 0x80 else {}
            elif layout == "tensor" and value == 0xFFFF:
                del fields[name]
        return fields

    def tensor(self):
        kind, *_, rows, columns, offset = self.take("4BIII")
        data, packed = Reader(self.data, offset), (columns + 1) // 2
        scales = [data.take("f") for _ in range(rows)] if kind >= 2 else [1] * rows
        numbers = [data.take("febB"[kind]) for _ in range(rows * (packed if kind == 3 else columns))]
        if kind == 3:
            numbers = [(numbers[row * packed + column // 2] >> column % 2 * 4 & 15 ^ 8) - 8
                       for row in range(rows) for column in range(columns)]
        floats = [struct.pack("<f", number * scales[index // columns]) for index, number in enumerate(numbers)]
        return {"type": ["float32", "float16", "int8", "int4"][kind], "rows": rows, "columns": columns,
                "checksum": zlib.crc32(b"".join(floats))}


def content(file):
    magic, version, alignment, count, length = Reader(file).take("4sBBHI")
    if (magic, version, length) != (b"\x89INK", 1, len(file)) or zlib.crc32(file[:-4]) != Reader(file, length - 4).take("I"):
        sys.exit("read-ink: expected a whole .ink file of version 1, found something else or a damaged one")
    sections, at = {}, 12
    for _ in range(count):
        tag, size = Reader(file, at).take("4sI")
        if tag[:1].isupper() and tag not in (b"INPT", b"LABL", b"OPER", b"TENS"):
            sys.exit(f"read-ink: section {tag.decode()} has to be understood and is not known")
        sections[tag], at = Reader(file, at + 8), at + 8 + size
    width, height, channels, polarity, scale, offset = sections[b"INPT"].take("HHBBff")
    labels, operations, tensors = sections[b"LABL"], sections[b"OPER"], sections[b"TENS"]
    names = [labels.text("B") for _ in range(labels.take("H"))]
    values, meta = sections.get(b"valu"), sections.get(b"meta", Reader(b"\0\0"))
    refusal = {"refusalThreshold": sections[b"refu"].take("f")} if b"refu" in sections else {}
    ink = {"takesNormalizedInk": sections[b"norm"].take("B") == 1} if b"norm" in sections else {}
    return refusal | ink | {
        "byteCount": length, "alignment": alignment,
        "input": {"width": width, "height": height, "channels": channels, "isInkHigh": polarity == 1,
                  "scale": scale, "offset": offset},
        "labels": [{"name": name, "value": values.take("i") if values else at} for at, name in enumerate(names)],
        "operations": [operations.operation() for _ in range(operations.take("H"))],
        "tensors": [tensors.tensor() for _ in range(tensors.take("H"))],
        "metadata": [[meta.text("B"), meta.text("H")] for _ in range(meta.take("H"))],
    }


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as opened:
        print(json.dumps(content(opened.read()), ensure_ascii=False))
