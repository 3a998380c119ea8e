#!/usr/bin/env bash
# Trains small networks, exports them, and has the readers of each format read them; see test-onnx.py and its siblings.
set -euo pipefail
cd "$(dirname -- "$0")/.."

runs=.build/interchange/runs
data=Data/mnist-5k
python=$(Scripts/interchange-environment.sh)

# Every preset, and what they leave out: depthwise convolutions, batch normalisation folded and not, same padding with a
# stride, means of channels and of windows, and layers without bias.
rm -rf "$runs"
train() {
  echo "test-interchange: training $1"
  .build/release/inkling-train --data "$data" --output "$runs/$1" "${@:2}" >/dev/null
}
for preset in linear mlp lenet5 cnn; do train "$preset" --preset "$preset" --epochs 1; done
train depthwise --epochs 8 --layers "conv 3x3 16 stride 2 same, batchnorm, relu, depthwise 3x3 same, batchnorm, relu, \
conv 1x1 32, batchnorm, relu, depthwise 3x3 stride 2 same, conv 1x1 64, batchnorm, relu, globalavgpool, dense 10"
train unbiased --epochs 1 --layers "maxpool 2, conv 3x3 8 nobias, relu, maxpool 2, dense 10 nobias"
train averages --epochs 1 --layers "conv 3x3 8, leakyrelu 0.1, avgpool 2, batchnorm, dense 10"

"$python" -B Scripts/test-onnx.py .build/release "$runs" "$data"
"$python" -B Scripts/test-onnx-reading.py .build/release "$runs" "$data"
"$python" -B Scripts/test-coreml.py .build/release "$runs"
"$python" -B Scripts/test-safetensors.py .build/release "$runs" "$data"
