#!/usr/bin/env bash
# Opens the pages that the programs write in a real browser, headless Chromium, and looks at what it makes of them.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v chromium >/dev/null || Scripts/install-packages.sh "needed to test the pages" chromium

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs=${PROGRAMS:-.build/release}
"$programs/inkling-train" --data Data/mnist-5k --preset linear --epochs 2 --output "$work/run" 2>/dev/null >/dev/null
"$programs/inkling-train" --data Data/mnist-5k --preset mlp --epochs 1 --output "$work/other" 2>/dev/null >/dev/null
"$programs/inkling-train" --report "$work/run" >/dev/null
"$programs/inkling-evaluate" --model "$work/run" --compare "$work/other" --data Data/mnist-5k \
  --report "$work/report.html" --json >"$work/comparison.json"
"$programs/inkling-evaluate" --model "$work/run" --data Data/mnist-5k --json >"$work/evaluation.json"

python3 -B Scripts/test-pages.py "$work"
