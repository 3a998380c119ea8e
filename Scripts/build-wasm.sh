#!/usr/bin/env bash
# Builds Inference as Embedded Swift for WebAssembly, with the exports of Sources/inkling-wasm: inkling.wasm with SIMD,
# inkling-scalar.wasm without, into .build/wasm, with inkling.mjs. The folder gets the objects too, for the tests.
#
# usage: build-wasm.sh
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-none-wasm
exports=Sources/inkling-wasm/Exports.swift

build() {
  local name=$1
  shift
  local folder=.build/wasm/$name.objects
  mkdir -p "$folder"
  local swift_options=(-target "$target" -enable-experimental-feature Embedded -wmo -Osize -parse-as-library
    -swift-version 6 -package-name inkling -Xfrontend -disable-stack-protector -enforce-exclusivity=unchecked)
  for feature in "$@"; do swift_options+=(-Xcc "$feature"); done

  # Files with a shell's special characters in their names there are none.
  # shellcheck disable=SC2046
  swiftc "${swift_options[@]}" -c -emit-module -emit-module-path "$folder/Inference.swiftmodule" \
    -module-name Inference $(find Sources/Inference -name '*.swift' | sort) -o "$folder/Inference.o"
  swiftc "${swift_options[@]}" -c -module-name InklingWasm -I "$folder" \
    -import-objc-header Sources/inkling-wasm/Shims.h Sources/inkling-wasm/*.swift -o "$folder/Exports.o"
  clang -target "$target" "$@" -std=c11 -Wall -Wextra -Werror -ffreestanding -Os \
    -c Sources/inkling-wasm/Shims.c -o "$folder/Shims.o"
  # There is no allocator to link with: a module that could allocate does not link.
  # shellcheck disable=SC2046
  wasm-ld --no-entry --gc-sections --strip-all $(sed -n 's/^@c(\([a-z_]*\)).*/--export=\1/p' "$exports") \
    "$folder/Inference.o" "$folder/Exports.o" "$folder/Shims.o" -o ".build/wasm/$name.wasm"
  printf '%-20s %6d bytes, %6d with gzip -9\n' "$name.wasm" "$(wc -c <".build/wasm/$name.wasm")" \
    "$(gzip -9 -c ".build/wasm/$name.wasm" | wc -c)"
}

mkdir -p .build/wasm
cp Sources/inkling-wasm/inkling.mjs .build/wasm/
build inkling -mbulk-memory -msimd128
build inkling-scalar -mbulk-memory
