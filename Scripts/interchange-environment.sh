#!/usr/bin/env bash
# Sets up the readers of exported models in a virtual environment under .build, made anew when the list of its packages
# changes, and prints its Python.
set -euo pipefail
cd "$(dirname -- "$0")/.."

environment=.build/interchange/python
packages=Scripts/interchange-packages.txt
python=${PYTHON:-python3}

if ! cmp -s "$packages" "$environment/packages.txt"; then
  # Debian ships the module venv without what it needs.
  if ! "$python" -c "import ensurepip, venv" 2>/dev/null; then
    Scripts/install-packages.sh "needed to set the readers of exported models up" python3-venv >&2
  fi
  rm -rf "$environment"
  # Where PyTorch is installed it is used too; it is too large to fetch for this.
  "$python" -m venv --system-site-packages "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --ignore-installed \
    --requirement "$packages" >&2
  cp "$packages" "$environment/packages.txt"
fi
echo "$environment/bin/python"
