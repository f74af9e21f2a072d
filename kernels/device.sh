#!/bin/sh
# Builds, checks and times the kernels on a machine with an NVIDIA GPU, all in one call:
#   kernels/device.sh [folder for the build and the logs]
# Needs nvcc with CUB; compute-sanitizer if it is there. Ends with the first wrong result.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d)}
arch=${CUDA_ARCH:-sm_90}
mkdir -p "$out"
nvcc -std=c++17 -O3 -arch="$arch" -lineinfo -Xptxas -v "$here/bench/bench.cu" -o "$out/bench" 2> "$out/build.log" ||
  { cat "$out/build.log"; exit 1; }
grep -E "Compiling entry function '(sort|merge)_|spill|Used" "$out/build.log" |
  grep -A2 -E "'(sort|merge)_" | grep -v '^--' > "$out/registers.log"
"$out/bench" check "${CHECK_LOG2:-26}"
if command -v compute-sanitizer > /dev/null; then
  for tool in memcheck racecheck; do
    echo "compute-sanitizer $tool"
    compute-sanitizer --tool "$tool" --error-exitcode 1 "$out/bench" once > "$out/$tool.log" 2>&1 ||
      { tail -40 "$out/$tool.log"; exit 1; }
    tail -1 "$out/$tool.log"
  done
else
  echo "compute-sanitizer is not here: memory and race checks left out"
fi
"$out/bench" time ${TIME_LOG2:-20 22 24 26 28 30} | tee "$out/time.log"
if [ -n "${LARGE_LOG2:-}" ]; then "$out/bench" large "$LARGE_LOG2"; fi
