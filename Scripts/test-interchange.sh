#!/usr/bin/env bash
# Trains small networks, exports them, and has the readers of each format read them; see test-onnx.py and its siblings.
#
# The readers lie in a virtual environment under .build, made anew when the list of its packages changes.
set -euo pipefail
cd "$(dirname -- "$0")/.."

environment=.build/interchange/python
packages=Scripts/interchange-packages.txt
runs=.build/interchange/runs
data=Data/mnist-5k
python=${PYTHON:-python3}

if ! cmp -s "$packages" "$environment/packages.txt"; then
  # Debian ships the module venv without what it needs.
  if ! "$python" -c "import ensurepip, venv" 2>/dev/null; then
    Scripts/install-packages.sh "needed to set the readers of exported models up" python3-venv
  fi
  rm -rf "$environment"
  # Where PyTorch is installed it is used too; it is too large to fetch for this.
  "$python" -m venv --system-site-packages "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --ignore-installed \
    --requirement "$packages"
  cp "$packages" "$environment/packages.txt"
fi

# Every preset, and what they leave out: depthwise convolutions, batch normalisation, same padding with a stride, the mean
# of each channel, and layers without bias.
rm -rf "$runs"
train() {
  echo "test-interchange: $1: one epoch of: ${*:2}"
  .build/release/inkling-train --data "$data" --epochs 1 --output "$runs/$1" "${@:2}" >/dev/null
}
for preset in linear mlp lenet5 cnn; do train "$preset" --preset "$preset"; done
train depthwise --layers "conv 3x3 8 stride 2 same, batchnorm, relu, depthwise 3x3 same, conv 1x1 16, batchnorm, \
relu, depthwise 3x3 stride 2 same, conv 1x1 32, relu, globalavgpool, dense 10"
train unbiased --layers "maxpool 2, conv 3x3 8 nobias, relu, avgpool 2, batchnorm, leakyrelu 0.1, dense 10 nobias"

for test in test-onnx.py test-coreml.py test-safetensors.py; do
  "$environment/bin/python" -B "Scripts/$test" .build/release "$runs" "$data"
done
