#!/usr/bin/env bash
# Builds a package that depends on Inkling by path and uses nothing but Inference: without a flag, and with no system
# library to be found but the C library. Its program predicts a digit; how long that takes from the start of the
# process is stated.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=${PROGRAMS:-.build/release}

"$programs/inkling-train" --data Data/mnist-5k --epochs 3 --output "$work/run" >/dev/null 2>&1
"$programs/inkling-export" --model "$work/run" --output "$work/digits.ink" --weights int8 --calibrate Data/mnist-5k \
  >/dev/null
# The first test image, a 7, as bare bytes.
gzip -dc Data/mnist-5k/t10k-images-idx3-ubyte.gz 2>/dev/null | head -c $((16 + 784)) | tail -c 784 >"$work/digit" || true

mkdir -p "$work/program/Sources/program"
cp Tests/Package/main.swift "$work/program/Sources/program/main.swift"
cat >"$work/program/Package.swift" <<PACKAGE
// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "program", platforms: [.macOS(.v15)], dependencies: [.package(name: "inkling", path: "$PWD")],
  targets: [
    .executableTarget(name: "program", dependencies: [.product(name: "Inference", package: "inkling")])
  ])
PACKAGE

# pkg-config that knows no library, and headers of none: what the machine has installed plays no part.
PKG_CONFIG_LIBDIR=/nowhere swift build -c release --package-path "$work/program"
program=$work/program/.build/release/program
if ldd "$program" | grep -Ei "blas|lapack|libz|png|jpeg|Foundation"; then
  echo "test-package: expected a program without these libraries" >&2
  exit 1
fi
answer=$("$program" "$work/digits.ink" "$work/digit")
[ "$answer" = 7 ] || { echo "test-package: expected 7, found $answer" >&2; exit 1; }

python3 - "$program" "$work/digits.ink" "$work/digit" <<'PYTHON'
import subprocess, sys, time

times = []
for _ in range(40):
    start = time.perf_counter()
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
    times.append(1000 * (time.perf_counter() - start))
times.sort()
print(f"test-package: a 7; the whole process takes {times[20]:.1f} ms ({times[0]:.1f} to {times[-1]:.1f}, 40 runs)")
PYTHON
