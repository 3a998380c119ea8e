#!/bin/sh
# Installs the Debian or Ubuntu packages that it is given, or says how.
#
# usage: install-packages.sh REASON PACKAGE...
#
# It installs only where that needs no password (root, or sudo that asks for none): a build must not stop at a
# prompt. Anywhere else it names the command to run and fails.
set -eu

reason=$1
shift

if ! command -v apt-get >/dev/null; then
  echo "missing: $* (Debian's names), $reason; install them with this system's package manager" >&2
  exit 1
fi

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

if ! as_root true 2>/dev/null; then
  echo "missing: $*, $reason; run: sudo apt-get update && sudo apt-get install $*" >&2
  exit 1
fi

echo "missing: $*, $reason; installing" >&2
# A list that cannot be refreshed may still be good enough to install from. dpkg must ask nothing.
as_root apt-get update -qq >&2 || true
if ! as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -qq --no-install-recommends "$@" </dev/null >&2
then
  echo "apt-get could not install $*, $reason; its messages stand above" >&2
  exit 1
fi
