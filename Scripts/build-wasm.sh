#!/usr/bin/env bash
# Builds Embedded Swift for WebAssembly, into .build/wasm: Inference with the exports of Sources/inkling-wasm, as
# inkling.wasm with SIMD and inkling-scalar.wasm without, with inkling.mjs; and, for the page to draw on, Inference and Ink
# with the exports of Sources/inkling-wasm/Strokes besides, as draw.wasm. The folder gets the objects too, for the tests.
#
# usage: build-wasm.sh [NAME...]   of inkling, inkling-scalar, draw; all of them by itself
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-none-wasm

# build NAME MODULES EXPORTS FEATURE...: the modules, each of which imports only those before, and folders with exports.
build() {
  local name=$1 modules=$2 exports=$3
  shift 3
  local folder=.build/wasm/$name.objects
  rm -rf "$folder"
  mkdir -p "$folder"
  # Paths of this machine would make the bytes those of this machine.
  local swift_options=(-target "$target" -enable-experimental-feature Embedded -wmo -Osize -parse-as-library
    -swift-version 6 -package-name inkling -Xfrontend -disable-stack-protector -enforce-exclusivity=unchecked
    -file-prefix-map "$PWD=." -Xfrontend -disable-incremental-llvm-codegen -I "$folder")
  for feature in "$@"; do swift_options+=(-Xcc "$feature"); done

  local module sources=()
  # Files with a shell's special characters in their names there are none.
  # shellcheck disable=SC2046
  for module in $modules; do
    swiftc "${swift_options[@]}" -c -emit-module -emit-module-path "$folder/$module.swiftmodule" \
      -module-name "$module" $(find "Sources/$module" -name '*.swift' | LC_ALL=C sort) -o "$folder/$module.o"
  done
  for export in $exports; do sources+=("$export"/*.swift); done
  swiftc "${swift_options[@]}" -c -module-name InklingWasm \
    -import-objc-header Sources/inkling-wasm/Shims.h "${sources[@]}" -o "$folder/Exports.o"
  clang -target "$target" "$@" -std=c11 -Wall -Wextra -Werror -ffreestanding -Os \
    -c Sources/inkling-wasm/Shims.c -o "$folder/Shims.o"
  # There is no allocator to link with: a module that could allocate does not link.
  # shellcheck disable=SC2046
  wasm-ld --no-entry --gc-sections --strip-all $(sed -n 's/^@c(\([a-z_]*\)).*/--export=\1/p' "${sources[@]}") \
    "$folder"/*.o -o ".build/wasm/$name.wasm"
  printf '%-20s %6d bytes, %6d with gzip -9\n' "$name.wasm" "$(wc -c <".build/wasm/$name.wasm")" \
    "$(gzip -9 -c ".build/wasm/$name.wasm" | wc -c)"
}

mkdir -p .build/wasm
cp Sources/inkling-wasm/inkling.mjs .build/wasm/
for name in "${@:-inkling inkling-scalar draw}"; do
  for name in $name; do
    case $name in
    inkling) build inkling Inference Sources/inkling-wasm -mbulk-memory -msimd128 ;;
    inkling-scalar) build inkling-scalar Inference Sources/inkling-wasm -mbulk-memory ;;
    draw) build draw "Inference Ink" "Sources/inkling-wasm Sources/inkling-wasm/Strokes" -mbulk-memory -msimd128 ;;
    *) echo "build-wasm: expected inkling, inkling-scalar or draw, found $name" >&2 && exit 64 ;;
    esac
  done
done
