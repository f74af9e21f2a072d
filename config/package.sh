#!/usr/bin/env bash
# The Maven build calls this when it starts, before it writes indexer-program.jar and lib to TARGET, and after:
#   config/package.sh begin|jar|end TARGET
#
# TARGET/indexer.jar is another name of the program's jar.
#
# TARGET/program.complete tells bin/indexer that the program is complete, how old its sources are and how many libraries
# it has. TARGET/program.started names the Maven process that is at work.
#
# TARGET/indexer.aot is Java's cache of the classes and profiles of a build of the samples. With it the program starts
# about half a second sooner. It is only valid for the directory that indexer.aot.of names, with the checksum that stands
# below it. The cache is missing without the samples, or if Java cannot make it.
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
    --config /dev/null --output index --export lucene:lucene --memory 1g --threads 2 </dev/null >said 2>&1 || true
  [ ! -f indexer.aot ] || {
    cksum <indexer.aot >sum && mv indexer.aot "$target" && { printf '%s\n' "$target" && cat sum; } >"$target/indexer.aot.of"
  }
)

case $1 in
  begin)
    # Jars that a build wrote without reaching its end may be cut short, and Maven would keep them.
    [ ! -f "$target/program.started" ] ||
      [ -z "$(find "$target"/indexer*.jar "$target/lib" -newer "$target/program.started" 2>/dev/null)" ] ||
      rm -rf "$target"/indexer*.jar "$target/library" "$target/lib"
    printf '%s\n' "$PPID" >"$target/program.started"
    ;;
  jar)
    # Not overwritten: a running indexer keeps reading its file.
    rm -f "$target/indexer.jar" "$target/indexer-program.jar"
    ;;
  end)
    ln -f "$target/indexer-program.jar" "$target/indexer.jar" 2>/dev/null ||
      cp -p "$target/indexer-program.jar" "$target/indexer.jar"
    rm -f "$target/indexer.aot" "$target/indexer.aot.of"
    # Java now and then fails to write the cache.
    for _ in 1 2 3 4 5; do
      make_cache || true
      [ ! -f "$target/indexer.aot.of" ] || break
    done
    # The file keeps the time of the start.
    libraries=("$target"/lib/*.jar)
    printf '%s\n' "${#libraries[@]}" >"$target/program.libraries"
    touch -r "$target/program.started" "$target/program.libraries"
    mv -f "$target/program.libraries" "$target/program.complete"
    rm -f "$target/program.started"
    ;;
esac
