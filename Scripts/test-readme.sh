#!/usr/bin/env bash
# Follows README.md as a newcomer would: runs its shell blocks one after another in a fresh clone of what is committed.
# Its Swift program is run by test-examples.py.
#
# With INKLING_MNIST, a folder with the four original files, `make mnist` fetches from a server on this machine instead of
# the public mirrors. The one block that is left out is `make test`: whoever runs this runs it anyway.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT

git clone -q . "$work/inkling"
cd "$work/inkling"

if [ -n "${INKLING_MNIST:-}" ]; then
  python3 -u -m http.server --bind 127.0.0.1 --directory "$INKLING_MNIST" 0 >"$work/server.log" 2>&1 &
  server=$!
  port=
  for _ in $(seq 100); do
    port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$work/server.log")
    [ -z "$port" ] || break
    sleep 0.1
  done
  [ -n "$port" ] || { echo "test-readme: the local server did not start: $(cat "$work/server.log")" >&2; exit 1; }
  export MNIST_MIRRORS="http://127.0.0.1:$port/"
fi

command -v node >/dev/null || Scripts/install-packages.sh "needed by README.md" nodejs

# Each fenced block into a file of its own: 001.sh, 002.sh, ...
mkdir "$work/blocks"
awk -v folder="$work/blocks" '
  /^```sh$/ { file = sprintf("%s/%03d.sh", folder, ++count); next }
  /^```/ { file = ""; next }
  file != "" { print > file }
' README.md

ran=0
for block in "$work"/blocks/*.sh; do
  if [ "$(cat "$block")" = "make test" ]; then continue; fi
  echo "test-readme: $(head -1 "$block")"
  bash -euo pipefail "$block" </dev/null
  ran=$((ran + 1))
done
# A README whose blocks are no longer found must not pass.
[ "$ran" -ge 8 ] || { echo "test-readme: only $ran shell blocks found" >&2; exit 1; }
echo "test-readme: $ran shell blocks ran"
