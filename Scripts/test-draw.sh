#!/usr/bin/env bash
# Draws on the page of inkling-export in a real browser, headless Chromium, with the network that comes with Inkling.
#
# usage: test-draw.sh [--screenshots FOLDER] [--only NAME]
set -euo pipefail
cd "$(dirname "$0")/.."

command -v chromium >/dev/null || Scripts/install-packages.sh "needed to test the page to draw on" chromium

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs=${PROGRAMS:-.build/release}
"$programs/inkling-export" --format html --output "$work/draw.html" >/dev/null

python3 -B Scripts/test-answers.py "$work/draw.html" "$@"
python3 -B Scripts/test-draw.py "$work/draw.html" "$@"
