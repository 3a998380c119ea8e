#!/bin/sh
# Runs the same digits on this machine, in WebAssembly and on a Cortex-M4; see test-embedded.py.
set -eu
cd "$(dirname -- "$0")/.."

missing=
command -v node >/dev/null || missing="$missing nodejs"
command -v qemu-system-arm >/dev/null || missing="$missing qemu-system-arm"
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086  # one word a package
  Scripts/install-packages.sh "needed to test WebAssembly and Cortex-M" $missing
fi

exec python3 -B Scripts/test-embedded.py .build/release Data/mnist-5k
