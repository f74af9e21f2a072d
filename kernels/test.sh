#!/bin/sh
# Tests the kernels on the CPU, without a GPU: compiles them with g++ against the shim, then again with a thread per
# CUDA thread under ThreadSanitizer.
#   kernels/test.sh [folder for the build]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d)}
mkdir -p "$out"
flags="-std=c++20 -Wall -Wextra -Werror -Wno-unknown-pragmas"
g++ $flags -O2 "$here/test/shim_test.cpp" -o "$out/shim_test"
"$out/shim_test"
g++ $flags -O1 -g -fsanitize=thread -DSHIM_THREADS "$here/test/shim_test.cpp" -o "$out/shim_test_tsan"
TSAN_OPTIONS=halt_on_error=1 "$out/shim_test_tsan" 7
