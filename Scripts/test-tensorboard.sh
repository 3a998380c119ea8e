#!/bin/sh
# Has TensorBoard itself read the event files of a run that was interrupted and killed; see test-tensorboard.py.
#
# TensorBoard lies in a virtual environment under .build, made anew when the list of its packages changes.
set -eu
cd "$(dirname -- "$0")/.."

environment=.build/tensorboard
packages=Scripts/tensorboard-packages.txt
python=${PYTHON:-python3}

if ! cmp -s "$packages" "$environment/packages.txt"; then
  # Debian ships the module venv without what it needs.
  if ! "$python" -c "import ensurepip, venv" 2>/dev/null; then
    Scripts/install-packages.sh "needed to set TensorBoard up" python3-venv
  fi
  rm -rf "$environment"
  "$python" -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$packages"
  cp "$packages" "$environment/packages.txt"
fi

exec "$environment/bin/python" -B Scripts/test-tensorboard.py .build/release/inkling-train Data/mnist-5k
