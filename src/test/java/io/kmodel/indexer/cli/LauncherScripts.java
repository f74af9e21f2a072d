package io.kmodel.indexer.cli;

/** A Java that prints its options and the jar, and a Maven that makes a jar of the source. */
final class LauncherScripts {
  static final String JAVA =
      """
      #!/usr/bin/env bash
      printf '%s\\n' "$@"
      while [ $# -gt 0 ] && [ "$1" != -jar ]; do shift; done
      [ $# -gt 0 ] || exit 0
      exec 3<"$2"
      [ -z "${TEST_JAVA_WAITS:-}" ] || while [ ! -e "$TEST_JAVA_WAITS" ]; do sleep 0.05; done
      printf 'runs: %s\\n' "$(cat <&3)"
      """;

  static final String MAVEN =
      """
      #!/usr/bin/env bash
      printf '%s %s\\n' "${JAVA_INDEXER_HOME:-}" "$*" >>"$TEST_PROJECT/maven.log"
      cd "$TEST_PROJECT"
      config/package.sh begin target
      [ -z "${TEST_MAVEN_TESTS:-}" ] || exit 0
      sleep "${TEST_MAVEN_SECONDS:-0.05}"
      config/package.sh jar target
      mkdir -p target/lib
      : >target/lib/library.jar
      cat src/main/Source kernels/kmodel.cu >target/indexer-program.jar
      [ -z "${TEST_MAVEN_DIES:-}" ] || { kill -9 "$PPID"; exit 1; }
      [ -z "${TEST_MAVEN_FAILS:-}" ] || exit 1
      [ -z "${TEST_EDIT:-}" ] || echo "$TEST_EDIT" >src/main/Source
      config/package.sh end target
      """;

  private LauncherScripts() {}
}
