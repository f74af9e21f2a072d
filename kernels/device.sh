#!/bin/sh
# Builds, checks and times everything on a machine with an NVIDIA GPU, in one call:
#   kernels/device.sh [folder for the build and the logs]
# Needs nvcc with CUB; uses compute-sanitizer if there is one. Stops at the first wrong result.
#
# With INDEXER_JAVA=/path/to/bin/java and INDEXER_PROGRAM=/folder/with/indexer.jar/and/lib it also tests the program:
# sorts of 2^10 to 2^30 keys through Java, a stream of runs compared with the connection's rate, and builds of
# INDEXER_CORPUS (default: corpus-samples/site) on the CPU and the GPU, which must be byte-identical. The program must
# have been built with nvcc. INDEXER_ONLY=1 skips the kernels' own checks and times.
#
# Environment: CHECK_LOG2 (26), DEVICES_LOG2 (20; checks of sorts over several devices), TIME_LOG2 ("20 22 24 26 28 30")
# and LARGE_LOG2 (33) are logarithms of numbers of keys; LARGE_LOG2=none skips that sort;
# SORT_KEYS ("2^10 1025 2^16 65537 2^20 2^24 2^28 268435457 2^30"), BUILD_MEMORY (16g), BUILD_THREADS (8), BUILD_ROUNDS (3);
# CUDA_ARCH (sm_90); WORDS (made-up ones) is a file with a word a line, for terms.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d)}
arch=${CUDA_ARCH:-sm_90}
mkdir -p "$out"

# sanitize BENCH: looks for wrong accesses to memory and races in one small sort of each kind.
sanitize() {
  if command -v compute-sanitizer > /dev/null; then
    for tool in memcheck racecheck; do
      echo "compute-sanitizer $tool"
      compute-sanitizer --tool "$tool" --error-exitcode 1 "$out/$1" once > "$out/$1-$tool.log" 2>&1 ||
        { tail -40 "$out/$1-$tool.log"; exit 1; }
      tail -1 "$out/$1-$tool.log"
    done
  else
    echo "no compute-sanitizer found: memory and race checks skipped"
  fi
}

kernels() {
  nvcc -std=c++17 -O3 -arch="$arch" -lineinfo -Xptxas -v "$here/bench/bench.cu" -o "$out/bench" 2> "$out/build.log" ||
    { cat "$out/build.log"; exit 1; }
  grep -E "Compiling entry function '(sort|merge)_|spill|Used" "$out/build.log" |
    grep -A2 -E "'(sort|merge)_" | grep -v '^--' > "$out/registers.log"
  "$out/bench" check "${CHECK_LOG2:-26}"
  sanitize bench
  "$out/bench" time ${TIME_LOG2:-20 22 24 26 28 30} > "$out/time.log" || { cat "$out/time.log"; exit 1; }
  cat "$out/time.log"
  sorters
  if [ "${LARGE_LOG2:-33}" != none ]; then "$out/bench" large "${LARGE_LOG2:-33}"; fi
}

# The sorters of other papers: checked, and timed beside CUB's; and sorts over several devices.
sorters() {
  nvcc -std=c++17 -O3 -arch="$arch" -lineinfo "$here/bench/sorters_bench.cu" -o "$out/sorters_bench"
  "$out/sorters_bench" check "${CHECK_LOG2:-24}"
  sanitize sorters_bench
  "$out/sorters_bench" time ${TIME_LOG2:-20 22 24 26 28}
  nvcc -std=c++17 -O3 -arch="$arch" -lineinfo "$here/bench/devices_bench.cu" -o "$out/devices_bench"
  "$out/devices_bench" check "${DEVICES_LOG2:-20}"
  sanitize devices_bench
  "$out/devices_bench" time
  nvcc -std=c++17 -O3 -arch="$arch" -lineinfo -Xcompiler -fopenmp "$here/bench/strings_bench.cu" -o "$out/strings_bench"
  "$out/strings_bench" check "${CHECK_LOG2:-22}"
  sanitize strings_bench
  "$out/strings_bench" time ${TIME_LOG2:-20 22 24 26 28}
  "$out/strings_bench" terms "$(nproc)" 1300000 ${WORDS:-}
  nvcc -std=c++17 -O3 -arch="$arch" -lineinfo "$here/bench/records_bench.cu" -o "$out/records_bench"
  "$out/records_bench" check 16
  sanitize records_bench
  "$out/records_bench" time
}

# indexer OPTIONS...: runs the program as bin/indexer does
indexer() {
  "$INDEXER_JAVA" -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED "-Xmx${heap:-2g}" \
    -Djdk.nio.maxCachedBufferSize=262144 -Djdk.util.jar.version=21 -jar "$INDEXER_PROGRAM/indexer.jar" "$@"
}

# same EXPECTED ACTUAL: fails unless two indexes are equal, except for their reports
same() {
  for file in "$1"/*; do
    name=$(basename "$file")
    [ "$name" = report.json ] || [ "$name" = report.html ] || cmp "$file" "$2/$name"
  done
  [ "$(ls "$1" | wc -l)" = "$(ls "$2" | wc -l)" ]
}

# build OUTPUT OPTIONS...: exit code 1 means that documents were skipped
build() {
  output=$1
  shift
  rm -rf "$output"
  heap=6g indexer build "$corpus" --output "$output" --store id --memory "${BUILD_MEMORY:-16g}" \
    --threads "${BUILD_THREADS:-8}" "$@" > "$output.log" 2>&1 || [ $? = 1 ] || { cat "$output.log"; exit 1; }
}

program() {
  corpus=${INDEXER_CORPUS:-$here/../corpus-samples/site}
  for keys in ${SORT_KEYS:-2^10 1025 2^16 65537 2^20 2^24 2^28 268435457 2^30}; do
    echo "$keys keys"
    indexer experiment sort --device gpu --keys "$keys" --rounds 7 --no-cpu
  done
  indexer experiment sort --device cpu --keys 2^26 --rounds 3 --distribution zipf
  indexer experiment sort --device cpu --keys 2^28 --rounds 1 --costs
  build "$out/index-cpu" --device cpu
  for pipeline in serial overlapped; do
    build "$out/index-gpu" --device gpu --pipeline "$pipeline"
    grep -E '^  (time|sort) ' "$out/index-gpu.log"
    if grep -Eq 'runs? on the CPU' "$out/index-gpu.log"; then
      echo "the CPU sorted some of the runs"
      exit 1
    fi
    same "$out/index-cpu" "$out/index-gpu"
    echo "build --device gpu --pipeline $pipeline: byte-identical to --device cpu"
  done
  indexer experiment pipelines --corpus "$corpus" --work "$out/pipelines" --rounds "${BUILD_ROUNDS:-3}" \
    --memory "${BUILD_MEMORY:-16g}" --threads "${BUILD_THREADS:-8}"
}

[ -n "${INDEXER_ONLY:-}" ] || kernels
if [ -n "${INDEXER_JAVA:-}" ] && [ -n "${INDEXER_PROGRAM:-}" ]; then
  program
else
  echo "INDEXER_JAVA and INDEXER_PROGRAM are not both set: the program was not tested"
fi
