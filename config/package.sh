#!/usr/bin/env bash
# The Maven build calls this when it starts and after it has written indexer.jar and lib to TARGET:
#   config/package.sh begin|end TARGET
#
# TARGET/program.complete tells bin/indexer that the program is complete and how old its sources are.
#
# TARGET/indexer.aot is Java's cache of the classes and profiles of a build of the samples. With it the program starts
# about half a second sooner. It is only valid for the directory that indexer.aot.of names. Without the samples, or if
# Java cannot make the cache, there is none.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
mkdir -p "$2"
target=$(CDPATH='' cd -- "$2" && pwd -P)

make_cache() (
  [ -d "$root/corpus-samples" ] || exit 0
  work=$(mktemp -d "$target/training-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  for variable in ${!INDEXER_@} JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS; do unset "$variable"; done
  [ -z "${JAVA_INDEXER_HOME:-}" ] || export INDEXER_JAVA_HOME=$JAVA_INDEXER_HOME
  export INDEXER_PROGRAM=$target
  # INDEXER_JAVA_OPTIONS is split at spaces, so the path must be relative.
  cd "$work"
  INDEXER_JAVA_OPTIONS='-XX:AOTCacheOutput=indexer.aot' "$root/bin/indexer" build "$root/corpus-samples" \
    --config /dev/null --output index --export lucene:lucene --memory 640m --threads 2 </dev/null >said 2>&1 || true
  [ ! -f indexer.aot ] || { mv indexer.aot "$target" && printf '%s\n' "$target" >"$target/indexer.aot.of"; }
)

case $1 in
  begin)
    # Jars of a build that did not reach its end may be cut short, and Maven would keep them.
    [ ! -f "$target/program.started" ] || rm -rf "$target/indexer.jar" "$target/lib"
    : >"$target/program.started"
    ;;
  end)
    rm -f "$target/indexer.aot" "$target/indexer.aot.of"
    make_cache || true
    mv -f "$target/program.started" "$target/program.complete"
    ;;
esac
