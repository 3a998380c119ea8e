#!/usr/bin/env bash
# Measures inference, one thread: each preset with weights of each type, on each instruction set of this processor.
# What the weights are does not matter, so an epoch on the digits that come with the repository is enough.
#
# usage: bench-inference.sh [SECONDS]     for each of the measurements; 0.5 if none are named
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-0.5}
programs=${PROGRAMS:-.build/release}
data=Data/mnist-5k
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '%-8s %-10s %-12s %32s %38s\n' preset weights kernels "batch 1 in µs: p50 (min to p99)" \
  "images/s with batches of 1, 32, 256"
for preset in mlp lenet5 cnn; do
  "$programs/inkling-train" --data "$data" --preset "$preset" --epochs 1 --output "$work/$preset" >/dev/null 2>&1
  for weights in f32 f16 int8; do
    calibrate=()
    [ "$weights" != int8 ] || calibrate=(--calibrate "$data")
    model=$work/$preset-$weights.ink
    "$programs/inkling-export" --model "$work/$preset" --output "$model" --weights "$weights" \
      ${calibrate[@]+"${calibrate[@]}"} >/dev/null
    for kernels in avx512vnni avx512 avx2 neon portable; do
      status=0
      result=$("$programs/inkling-benchmark" --model "$model" --seconds "$seconds" --kernels "$kernels" --json \
        2>"$work/error") || status=$?
      # A set that this processor does not have.
      [ "$status" != 64 ] || continue
      [ "$status" = 0 ] || { cat "$work/error" >&2; exit "$status"; }
      python3 -c '
import json, sys
result = json.load(sys.stdin)
latency = result["latency"]
span = "({:.1f} to {:.1f})".format(latency["minMicroseconds"], latency["p99Microseconds"])
rates = "".join("{:>12,.0f}".format(rate["imagesPerSecond"]) for rate in result["throughput"])
print("{:8} {:10} {:12} {:>13.1f} {:18} {:>38}".format(*sys.argv[1:3], result["kernels"], latency["p50Microseconds"], span, rates))
' "$preset" "$weights" <<<"$result"
    done
  done
done
