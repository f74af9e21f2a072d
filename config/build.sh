# Builds the program with Maven; bin/indexer reads this file when the program is absent or older than its sources.
# Uses its root, program, jdk, fail and is_built.

# Succeeds if a Maven that someone else started is at work in the same directory.
maven_runs() {
  ps -o comm= -p "$(cat "$program/program.started" 2>/dev/null || echo 0)" 2>/dev/null | grep -q java
}

# Takes the lock, a symbolic link to the process ID of its owner. Waits while another process builds.
lock_program() {
  local tries owner
  for ((tries = 0; ; tries++)); do
    owner=Maven
    if ! maven_runs; then
      ln -s $$ "$lock" 2>/dev/null && return
      owner=$(readlink "$lock" || true)
      # In a container this process often has the ID of the one that a kill ended.
      if [ "$owner" = $$ ] || ! kill -0 "$owner" 2>/dev/null; then rm -f "$lock"; fi
    fi
    [ "$tries" -ne 3 ] || printf 'indexer: waiting for another build of the program (%s)...\n' "$owner" >&2
    [ "$tries" -lt 1200 ] && { [ -n "$owner" ] || [ "$tries" -lt 10 ]; } ||
      fail "cannot lock the program's directory; if nothing else builds it, delete $lock"
    sleep 1
  done
}

build_program() {
  lock=$program/program.lock
  mkdir -p "$program" 2>/dev/null && [ -w "$program" ] ||
    fail "the program cannot be built: no permission to write to $program"
  command -v mvn >/dev/null || fail "the program is not built yet: install Maven 3.8 or later and try again"
  lock_program
  trap 'rm -f "$lock"' EXIT
  if ! is_built; then
    printf 'indexer: building the program (once)...\n' >&2
    # Maven runs on any Java; the toolchains plugin compiles with the JDK that JAVA_INDEXER_HOME names.
    [ -n "${JAVA_HOME:-}" ] || command -v java >/dev/null || export JAVA_HOME=$jdk
    # The plugin knows a JDK by one variable, and does not find by ours the one that JAVA_HOME names, too.
    toolchain=env=JAVA_INDEXER_HOME
    [ ! "${JAVA_HOME:-}" -ef "$jdk" ] || toolchain="version=[$NEEDED,)"
    JAVA_INDEXER_HOME=$jdk mvn -B -ntp -q -Dstyle.color=never -f "$root/pom.xml" package -Dmaven.test.skip=true \
      -Dspotless.check.skip=true "-Dtoolchain.jdk.$toolchain" >&2 </dev/null || fail "the build failed; see above"
  fi
  rm -f "$lock"
  trap - EXIT
}
