#!/usr/bin/env bash
# Fuzzes what reads files, under the address sanitizer, for some seconds each: "ink" is the reader of .ink files and what
# runs the networks in them, "models" reads ONNX, safetensors and NumPy's arrays. libFuzzer starts from the tests' golden
# files and from what the exporters write. What it finds worth keeping stays in .build/fuzz, so that the next run goes
# on from there; a file that fails is named at the end.
#
# usage: fuzz.sh [ink|models|all] [SECONDS [OPTION OF LIBFUZZER...]]
set -euo pipefail
cd "$(dirname "$0")/.."

subject=${1:-all}
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
root=$PWD
work=$root/.build/fuzz
# SwiftPM calls a package as its folder.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]')
products=$work/package/release

# A package knows no sanitizer for fuzzing, so the fuzzers themselves are built here, from its modules.
build() {
  swift build -c release --scratch-path "$work/package" --target "$1" \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing -Xcc -fsanitize=fuzzer-no-link,address
}
fuzzer() {
  local name=$1 modules=$2 objects=() maps=()
  shift 2
  for module in $modules; do objects+=("$products/$module.build"/*.o); done
  for map in "$products"/*.build/module.modulemap "$root"/Sources/C*/module.modulemap; do
    maps+=(-Xcc "-fmodule-map-file=$map")
  done
  # Beside its objects, since it leaves a module in the folder that it runs in.
  cd "$work"
  swiftc -O -g -wmo -parse-as-library -swift-version 6 -package-name "$package" -enable-testing \
    -sanitize=fuzzer,address -I "$products/Modules" "${maps[@]}" -module-name Fuzz \
    -o "$work/$name" "${objects[@]}" "$@"
  cd "$root"
}
run() {
  local name=$1
  shift
  mkdir -p "$work/corpus/$name" "$work/failures"
  # Traps are libFuzzer's to report. No run may take 5 s or, with all that the sanitizer keeps, 2 GB.
  SWIFT_BACKTRACE=enable=no INKLING_SEEDS=$work/seeds/$name "$work/$name" -max_total_time="$seconds" -timeout=5 \
    -rss_limit_mb=2048 -artifact_prefix="$work/failures/$name-" -print_final_stats=1 "$@" \
    "$work/corpus/$name" "$work/seeds/$name"
}

mkdir -p "$work/seeds/ink" "$work/seeds/models"
case $subject in
  ink | models | all) ;;
  *) echo "fuzz.sh: expected ink, models or all, found $subject" >&2 && exit 64 ;;
esac
if [ "$subject" != models ]; then
  cp Tests/InferenceTests/Golden/*.ink "$work/seeds/ink"
  build Inference
  fuzzer ink "Inference Kernels" "$root"/Tests/Fuzz/Ink/*.swift \
    "$root"/Tests/InferenceTests/Hostile/*.swift
  run ink -max_len=4096 "$@"
fi
if [ "$subject" != ink ]; then
  for target in Interchange HostInference SampleNetworks; do build "$target"; done
  libraries=$(pkg-config --libs openblas lapacke libpng zlib libturbojpeg)
  fuzzer models "Charts Datasets HostInference Images Inference Ink Interchange Kernels PNGDecoder PlainText SampleNetworks Tensors \
Training Wire" "$root"/Tests/Fuzz/Models/*.swift $libraries
  run models -max_len=16384 "$@"
fi
