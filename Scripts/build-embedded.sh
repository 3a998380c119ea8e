#!/usr/bin/env bash
# Builds Inference as Embedded Swift for a Cortex-M4 and links it, with a network in flash and the small program of
# Tests/Embedded, to an image that runs under qemu-system-arm.
#
# usage: build-embedded.sh MODEL.ink IMAGE.elf [RAM-BYTES]
#
# An image that needs more RAM than that (32,768 bytes if none are named) does not link or ends with an error.
set -euo pipefail
cd "$(dirname "$0")/.."

model=$(realpath "$1")
image=$2
ram=${3:-32768}
folder=.build/embedded
mkdir -p "$folder"

target=armv7em-none-none-eabi
machine=(-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -fshort-enums)
swift_options=(-target "$target" -enable-experimental-feature Embedded -wmo -Osize -parse-as-library -swift-version 6
  -package-name inkling -Xfrontend -disable-stack-protector -Xfrontend -function-sections)
for option in "${machine[@]}"; do swift_options+=(-Xcc "$option"); done

# The library once; its sources are newer than the object only where somebody works on them.
if [ -z "$(find "$folder/Inference.o" 2>/dev/null)" ] ||
  [ -n "$(find Sources/Inference Scripts/build-embedded.sh -newer "$folder/Inference.o" -type f | head -1)" ]
then
  # Files with a shell's special characters in their names there are none.
  # shellcheck disable=SC2046
  swiftc "${swift_options[@]}" -c -emit-module -emit-module-path "$folder/Inference.swiftmodule" \
    -module-name Inference $(find Sources/Inference -name '*.swift' | sort) -o "$folder/Inference.o"
fi

swiftc "${swift_options[@]}" -c -module-name EmbeddedTest -I "$folder" \
  -import-objc-header Tests/Embedded/Startup.h Tests/Embedded/Main.swift -o "$folder/Main.o"
# The compiler's own headers (stddef.h) suffice: nothing of a C library is used. `#embed` is of C23.
c_options=(-target "$target" "${machine[@]}" -std=c23 -Wall -Wextra -Werror -ffreestanding -Os -ffunction-sections)
clang "${c_options[@]}" -c Tests/Embedded/Startup.c -o "$folder/Startup.o"
clang "${c_options[@]}" -DMODEL="\"$model\"" -c Tests/Embedded/Model.c -o "$folder/Model.o"
# There is no allocator to link with: an image that could allocate has no place to take memory from, and fails here.
ld.lld --gc-sections --defsym=RAM_SIZE="$ram" -T Tests/Embedded/cortex-m4.ld -o "$image" \
  "$folder/Startup.o" "$folder/Main.o" "$folder/Inference.o" "$folder/Model.o"
