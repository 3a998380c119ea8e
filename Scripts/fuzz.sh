#!/usr/bin/env bash
# Fuzzes the reader of .ink files and what runs the networks in them, under the address sanitizer, for some seconds:
# libFuzzer starts from the tests' golden files. What it finds worth keeping stays in .build/fuzz/corpus, so that the
# next run goes on from there; a file that fails is named at the end.
#
# usage: fuzz.sh [SECONDS [OPTION OF LIBFUZZER...]]
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
[ $# -eq 0 ] || shift
root=$PWD
work=$root/.build/fuzz
mkdir -p "$work/corpus" "$work/failures" "$work/objects" "$work/seeds"
cp Tests/InferenceTests/Golden/*.ink "$work/seeds"
# The toolchain's own, whose sanitizers are those that swiftc links.
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang

# Built here, since SwiftPM knows no sanitizer for fuzzing.
cd "$work/objects"
for source in "$root"/Sources/Kernels/*.c; do
  "$clang" -O2 -g -fsanitize=fuzzer-no-link,address -I "$root/Sources/Kernels/include" -c "$source"
done
echo "module Kernels { header \"$root/Sources/Kernels/include/Kernels.h\" export * }" >Kernels.modulemap
options=(-O -g -wmo -parse-as-library -swift-version 6 -package-name inkling -enable-testing
  -sanitize=fuzzer,address -Xcc "-fmodule-map-file=$PWD/Kernels.modulemap")
find "$root/Sources/Inference" -name '*.swift' -exec swiftc "${options[@]}" -D INKLING_KERNELS \
  -module-name Inference -emit-module -c -o Inference.o {} +
swiftc "${options[@]}" -I . -module-name Fuzz -o ../fuzz ./*.o \
  "$root"/Tests/Fuzz/*.swift "$root"/Tests/InferenceTests/Hostile/*.swift

cd "$root"
# Traps are libFuzzer's to report. No run may take 5 s or, with all that the sanitizer keeps, 2 GB.
SWIFT_BACKTRACE=enable=no "$work/fuzz" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 -max_len=4096 \
  -artifact_prefix="$work/failures/" -print_final_stats=1 "$@" "$work/corpus" "$work/seeds"
