#!/bin/sh
# Makes sure that the compiler, libraries and tools that a build needs are here; installs what is missing where it may.
# Every make target that builds runs it first, so it is quick, and silent when nothing is missing.
set -eu

scripts=$(dirname -- "$0")
# The tools version that the first line of Package.swift asks for.
swift_needed=6.3

have() {
  command -v "$1" >/dev/null
}

# Asks pkg-config, as SwiftPM does; without it, whether the header (the second argument) is in its usual place.
have_library() {
  if have pkg-config; then
    pkg-config --exists "$1"
  else
    for header in "/usr/include/$2" /usr/include/*-linux-gnu*/"$2"; do
      [ ! -e "$header" ] || return 0
    done
    return 1
  fi
}

check_swift() {
  remedy="install Swift $swift_needed or newer from https://www.swift.org/install"
  if ! have swiftc; then
    echo "set-up: no swift in PATH; $remedy" >&2
    exit 1
  fi
  # "Swift version 6.3.1 (…)", or "Apple Swift version 6.3 (…)" after another line
  found=$(swiftc --version 2>/dev/null) || true
  found=${found#*Swift version }
  found=${found%% *}
  major=${found%%.*}
  minor=${found#*.}
  minor=${minor%%[!0-9]*}
  case $major.$minor in
  [0-9]*.[0-9]*) ;;
  *)
    echo "set-up: $(command -v swiftc) does not tell its version; $remedy" >&2
    exit 1
    ;;
  esac
  if [ "$major" -lt "${swift_needed%.*}" ] ||
    { [ "$major" -eq "${swift_needed%.*}" ] && [ "$minor" -lt "${swift_needed#*.}" ]; }
  then
    echo "set-up: $(command -v swiftc) is Swift $found; $remedy" >&2
    exit 1
  fi
}

check_swift

if [ "$(uname -s)" = Darwin ]; then
  have_library libpng png.h || [ -e /opt/homebrew/include/png.h ] ||
    echo "set-up: libpng is missing; run: brew install libpng" >&2
  have_library libturbojpeg turbojpeg.h || [ -e /opt/homebrew/include/turbojpeg.h ] ||
    echo "set-up: libjpeg-turbo is missing; run: brew install jpeg-turbo" >&2
  exit 0
fi

missing=
have_library openblas openblas_config.h || missing="$missing libopenblas-dev"
have_library lapacke lapacke.h || missing="$missing liblapacke-dev"
have_library libpng png.h || missing="$missing libpng-dev"
have_library libturbojpeg turbojpeg.h || missing="$missing libturbojpeg0-dev"
have_library zlib zlib.h || missing="$missing zlib1g-dev"
have pkg-config || missing="$missing pkg-config"
# Without its recommended certificates curl would refuse every https address.
have curl || missing="$missing curl ca-certificates"
have python3 || missing="$missing python3"

if [ -n "$missing" ]; then
  # shellcheck disable=SC2086  # one word a package
  "$scripts/install-packages.sh" "needed to build and test" $missing
fi
