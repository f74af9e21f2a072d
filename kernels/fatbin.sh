#!/bin/sh
# Compiles the kernels into fatbins: machine code for sm_90, and PTX for sm_75 and later.
#   kmodel.fatbin    those that builds use (program.cu)
#   sorters.fatbin   those that only experiments use (sorters/program.cu)
# If there is no nvcc, or the one found cannot compile them, prints a note and leaves the program without kernels. The same
# sources and nvcc give the same bytes.
#   kernels/fatbin.sh FOLDER [folder that caches compiled kernels by the hash of their sources, nvcc and flags]
# nvcc is $NVCC, or that of $CUDA_HOME, of the PATH, or of /usr/local/cuda. NVCC=none disables it. It is an error if an
# nvcc named by NVCC cannot compile the kernels.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
kept=${2:-$folder}

nvcc=${NVCC:-}
if [ -z "$nvcc" ]; then
  for candidate in "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      nvcc=$candidate
      break
    fi
  done
fi
if [ -z "$nvcc" ] || [ "$nvcc" = none ]; then
  rm -f "$folder/kmodel.fatbin" "$folder/sorters.fatbin"
  echo "kernels: no nvcc found; the program is built without its GPU stage"
  exit 0
fi

flags="-std=c++17 -O3 -DKMODEL_ONLY_PACKED --threads 0 --no-compress
  -gencode arch=compute_90,code=sm_90 -gencode arch=compute_75,code=compute_75"
network="kmodel.cu network.cuh keys.cuh tuning.cuh"
indexer="program.cu $network inversion/inversion.cu inversion/block.cuh
  inversion/words.cuh inversion/terms.cuh inversion/order.cuh inversion/lists.cuh inversion/packing.cuh inversion/scan.cuh
  inversion/postings.cuh inversion/stems.cuh"
sorters="$network inversion/block.cuh inversion/scan.cuh $(cd "$here" && echo sorters/*.cu*)"

# compile NAME PROGRAM SOURCE...: puts NAME.fatbin into the folder
compile() {
  name=$1
  program=$2
  shift 2
  hash=$( (cd "$here" && cat "$@" && "$nvcc" --version && echo "$flags") | cksum | tr ' ' '-')
  fatbin=$kept/$name-$hash.fatbin
  if [ ! -s "$fatbin" ]; then
    making=$kept/making-$$.fatbin
    trap 'rm -f "$making"' EXIT
    # Compile in this folder, so that the output contains no path of this machine.
    if ! said=$(cd "$here" && "$nvcc" $flags -fatbin "$program" -o "$making" 2>&1); then
      give_up "$name"
    fi
    if [ -n "$said" ]; then echo "$said"; fi
    mv "$making" "$fatbin"
  fi
  if ! cmp -s "$fatbin" "$folder/$name.fatbin"; then cp "$fatbin" "$folder/$name.fatbin"; fi
}

# Ends without some kernels, which is an error only if the compiler was named: builds do not need those of experiments.
give_up() {
  if [ -n "${NVCC:-}" ]; then
    echo "$said" >&2
    exit 1
  fi
  rm -f "$folder/sorters.fatbin"
  lost="the papers' sorters"
  if [ "$1" = kmodel ]; then
    rm -f "$folder/kmodel.fatbin"
    lost="its GPU stage"
  fi
  version=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/ \1/p')
  why=$(echo "$said" | grep -i -e error -e fatal | head -n 1)
  echo "kernels: nvcc$version cannot compile them (${why:-$nvcc}); the program is built without $lost"
  exit 0
}

mkdir -p "$folder" "$kept"
compile kmodel program.cu $indexer
compile sorters sorters/program.cu $sorters
