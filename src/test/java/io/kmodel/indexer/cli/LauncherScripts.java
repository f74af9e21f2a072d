package io.kmodel.indexer.cli;

/** A Java that prints its options and the jar, and a Maven that makes a jar of the source. */
final class LauncherScripts {
  static final String JAVA =
      """
      #!/usr/bin/env bash
      for argument in "$@"; do
        case $argument in
          -XX:AOTCacheOutput=*)
            printf '%s %s\\n' "${INDEXER_BUILD_MEMORY:-}" "$*" >>"$TEST_PROJECT/training.log"
            echo written
            [ -z "${TEST_TRAINING_FAILS:-}" ] || exit 1
            echo learned >"${argument#*=}"
            exit
            ;;
        esac
      done
      printf '%s\\n' "$@"
      while [ $# -gt 0 ] && [ "$1" != -jar ]; do shift; done
      [ -z "${TEST_JAVA_WAITS:-}" ] || while [ ! -e "$TEST_JAVA_WAITS" ]; do sleep 0.05; done
      [ $# -eq 0 ] || printf 'runs: %s\\n' "$(cat "$2")"
      """;

  static final String MAVEN =
      """
      #!/usr/bin/env bash
      printf '%s %s\\n' "$JAVA_INDEXER_HOME" "$*" >>"$TEST_PROJECT/maven.log"
      while [ "$1" != -f ]; do shift; done
      cd "$(dirname "$2")"
      sleep "${TEST_MAVEN_SECONDS:-0}"
      mkdir -p target/lib
      cat src/main/Source kernels/kmodel.cu >target/indexer.jar
      [ -z "${TEST_MAVEN_DIES:-}" ] || { kill -9 "$PPID"; exit 1; }
      [ -z "${TEST_MAVEN_FAILS:-}" ] || exit 1
      [ -z "${TEST_EDIT:-}" ] || echo "$TEST_EDIT" >"$TEST_PROJECT/src/main/Source"
      """;

  private LauncherScripts() {}
}
