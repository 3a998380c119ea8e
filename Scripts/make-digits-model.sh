#!/usr/bin/env bash
# Trains Data/models/digits.ink anew: on MNIST, on practice drawings, and against what is no digit. A quarter of an hour on
# two cores. The bits depend on the processor's instruction set; on one machine they are the same each time.
#
# usage: make-digits-model.sh [MNIST [FASHION-MNIST [OUTPUT]]]
set -euo pipefail
cd "$(dirname "$0")/.."

mnist=${1:-Data/mnist}
fashion=${2:-Data/fashion-mnist}
output=${3:-Data/models/digits.ink}
work=runs/digits
programs=.build/release

rm -rf "$work"
mkdir -p "$work"
python3 -B Scripts/make-practice-drawings.py digits 24000 1 >"$work/digits.ndjson"
python3 -B Scripts/make-practice-drawings.py others 24000 1 >"$work/others.ndjson"
for kind in digits others; do
  "$programs/inkling-dataset" pack "$work/$kind.ndjson" --output "$work/$kind" --test 0
done
"$programs/inkling-dataset" join "$mnist" "$work/digits" --output "$work/data"
"$programs/inkling-dataset" join "$fashion" --take 6000 --output "$work/clothing"
"$programs/inkling-dataset" join "$fashion" --take 10000 --fit ink --output "$work/clothing-as-ink"

images=train-images-idx3-ubyte
"$programs/inkling-train" --data "$work/data" --output "$work/run" --epochs 16 --augment standard \
  --outliers "$work/others/$images,$work/clothing/$images,$work/clothing-as-ink/$images" \
  --layers "conv 3x3 16 same, batchnorm, relu, conv 3x3 16, batchnorm, relu, maxpool 2, conv 3x3 32 same, batchnorm, \
relu, conv 3x3 32, batchnorm, relu, maxpool 2, dropout 0.3, dense 64, relu, dense 10"
# The last epoch, at whose end the learning rate has come down: a few thousand images cannot tell such epochs apart.
"$programs/inkling-export" --model "$work/run/last.ckpt" --output "$output" --weights int8 --calibrate "$work/data" \
  --refuse 0.0025 --data "$mnist"
