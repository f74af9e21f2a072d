#!/usr/bin/env bash
# Makes a smaller or larger corpus of a corpus, by hard links, to see how cost grows with size.
#
#   config/scale-corpus.sh SOURCE TARGET 1/N     every Nth file
#   config/scale-corpus.sh SOURCE TARGET N       N times every file, under N directories: other ids
#
# Both folders must lie on one file system; nothing is copied.
set -euo pipefail

usage() {
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

[ $# -eq 3 ] || usage
source=$1 target=$2 scale=$3
[ -d "$source" ] || { echo "$source is not a directory" >&2; exit 2; }
if [ -e "$target" ]; then
  echo "$target exists already" >&2
  exit 2
fi

case $scale in
  1/[1-9]*)
    every=${scale#1/}
    mkdir -p "$target"
    absolute=$(cd "$target" && pwd)
    cd "$source"
    # Links are made a directory at a time, with few processes.
    find . -type f -printf '%P\0' | LC_ALL=C sort -z \
      | awk -v RS='\0' -v ORS='\0' -v every="$every" 'NR % every == 0' \
      | xargs -0 -r cp --link --parents --target-directory="$absolute" --
    ;;
  [1-9]*)
    mkdir -p "$target"
    for ((i = 0; i < scale; i++)); do
      cp -al "$source" "$target/$(printf '%03d' "$i")"
    done
    ;;
  *) usage ;;
esac
find "$target" -type f | wc -l
