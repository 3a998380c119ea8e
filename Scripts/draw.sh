#!/bin/sh
# Writes the page to draw on, .build/draw.html, and opens it where there is a display.
#
# usage: draw.sh [MODEL.ink]   without a model with the network that comes with Inkling
set -eu
cd "$(dirname -- "$0")/.."

page=.build/draw.html
.build/release/inkling-export ${1:+--model "$1"} --format html --output "$page" >/dev/null
echo "$page: open it in a browser; it needs no server and no network"
if [ "$(uname -s)" = Darwin ]; then
  open "$page"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
  xdg-open "$page"
fi
