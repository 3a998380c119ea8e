#!/bin/sh
# Runs a network on a Cortex-M4 in QEMU; see run-embedded.py.
set -eu

command -v qemu-system-arm >/dev/null ||
  "$(dirname -- "$0")/install-packages.sh" "needed to run a Cortex-M4" qemu-system-arm
exec python3 -B "$(dirname -- "$0")/run-embedded.py" "$@"
