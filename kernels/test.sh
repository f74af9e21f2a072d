#!/bin/sh
# Tests the kernels on the CPU, without a GPU: compiles them with g++ against the shim, then again with
# AddressSanitizer, and with a thread per CUDA thread under ThreadSanitizer.
#   kernels/test.sh [folder for the build]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d)}
mkdir -p "$out"
flags="-std=c++20 -Wall -Wextra -Werror -Wno-unknown-pragmas"
for test in shim_test inversion_test postings_test sorters_test devices_test strings_test records_test; do
  g++ $flags -O2 "$here/test/$test.cpp" -o "$out/$test"
  "$out/$test"
done
for test in inversion_test postings_test; do
  g++ $flags -O1 -g -fsanitize=address "$here/test/$test.cpp" -o "$out/${test}_asan"
  ASAN_OPTIONS=detect_stack_use_after_return=0 "$out/${test}_asan" quick
done
g++ $flags -O1 -g -fsanitize=thread -DSHIM_THREADS "$here/test/shim_test.cpp" -o "$out/shim_test_tsan"
TSAN_OPTIONS=halt_on_error=1 "$out/shim_test_tsan" 7
for test in inversion_test postings_test sorters_test devices_test strings_test records_test; do
  g++ $flags -O1 -g -fsanitize=thread -DSHIM_THREADS "$here/test/$test.cpp" -o "$out/${test}_tsan"
  TSAN_OPTIONS=halt_on_error=1 "$out/${test}_tsan" races
done
