#!/bin/sh
# Fetches the four files of MNIST, one public mirror after another, into a folder (Data/mnist unless one is given).
#
# usage: fetch-mnist.sh [FOLDER]
#
# Mirrors come and go, and some answer with a page of HTML. So a file counts only once the SHA-256 of its uncompressed
# content is the one in mnist.sha256 (compressed bytes differ between mirrors); until then it lies in a folder of its
# own that goes whatever happens. Right files that are there already stay; a wrong one is replaced by a right one only.
#
# Environment: MNIST_MIRRORS    addresses to try, separated by blanks, each up to the file name
#              MNIST_PATIENCE   seconds without an answer, or with less than 1 kB/s, until a mirror is given up (20)
#              MNIST_SHA256     a table of sums in the form of mnist.sha256 (for the tests)
set -euf
export LC_ALL=C

scripts=$(dirname -- "$0")
folder=${1:-$(dirname -- "$scripts")/Data/mnist}
table=${MNIST_SHA256:-$scripts/mnist.sha256}
patience=${MNIST_PATIENCE:-20}
mirrors=${MNIST_MIRRORS:-"https://ossci-datasets.s3.amazonaws.com/mnist/
  https://storage.googleapis.com/cvdf-datasets/mnist/
  http://yann.lecun.com/exdb/mnist/"}

say() {
  echo "fetch-mnist: $*" >&2
}

case $folder in
-*)
  say "usage: fetch-mnist.sh [FOLDER]"
  exit 64
  ;;
esac

# Succeeds if the content of a gzip file has the sum; no output, whatever the file is.
is_right() { # FILE SUM
  [ -f "$1" ] && gzip -t <"$1" 2>/dev/null &&
    [ "$(gzip -dc <"$1" | if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi)" = "$2  -" ]
}

# Prints what is wrong with a file that is not right.
fault() { # FILE
  if [ ! -s "$1" ]; then
    echo "an empty file"
  elif [ "$(head -c 2 "$1" | od -An -tx1 | tr -d ' ')" != 1f8b ]; then
    echo "not a gzip file; it begins with \"$(head -c 40 "$1" | tr -c '[:print:]' ' ')\""
  elif ! gzip -t <"$1" 2>/dev/null; then
    echo "a truncated or damaged gzip file of $(wc -c <"$1" | tr -d ' ') bytes"
  else
    echo "the SHA-256 of its content is wrong"
  fi
}

# Fetches one file into the temporary folder; prints the trouble and fails if it is not right.
fetch() { # ADDRESS FILE SUM
  rm -f "$2" "$temporary/trouble"
  # In the background, since a shell heeds a signal at once only while it waits. 20 MB is twice the largest file.
  curl --fail --location --silent --show-error --connect-timeout "$patience" --speed-time "$patience" \
    --speed-limit 1000 --max-time 900 --max-filesize 20000000 --output "$2" "$1" 2>"$temporary/trouble" &
  child=$!
  if wait "$child"; then
    child=
    is_right "$2" "$3" && return
    say "$1: $(fault "$2")"
  else
    child=
    say "$1: $(sed -n '1s/^curl: ([0-9]*) //p' "$temporary/trouble")"
  fi
  return 1
}

clean_up() {
  if [ -n "$child" ]; then
    kill "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  fi
  [ -z "$temporary" ] || rm -rf "$temporary"
  [ -z "$made_folder" ] || rmdir "$folder" 2>/dev/null || true
}

child=
temporary=
made_folder=
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

if [ ! -d "$folder" ]; then
  mkdir -p "$folder"
  made_folder=yes
fi

while read -r sum name; do
  target=$folder/$name.gz
  if is_right "$target" "$sum"; then
    echo "$target: there already"
    continue
  elif [ -d "$target" ]; then
    say "$target is a folder; remove it"
    exit 1
  elif [ -e "$target" ]; then
    say "$target: $(fault "$target"); fetching another"
  fi

  # On the same disk as the target, so that the move at the end is one step.
  [ -n "$temporary" ] || temporary=$(mktemp -d "$folder/.fetching-XXXXXX")
  found=
  for mirror in $mirrors; do
    if fetch "${mirror%/}/$name.gz" "$temporary/$name.gz" "$sum"; then
      found=$mirror
      break
    fi
  done
  if [ -z "$found" ]; then
    say "no mirror gave $name.gz; put a copy into $folder, or name other mirrors in MNIST_MIRRORS"
    exit 1
  fi
  mv -f "$temporary/$name.gz" "$target"
  echo "$target: fetched from $found"

  # The mirror that worked goes first, so that a hanging one is waited for once.
  order=$found
  for mirror in $mirrors; do
    [ "$mirror" = "$found" ] || order="$order $mirror"
  done
  mirrors=$order
done <"$table"
