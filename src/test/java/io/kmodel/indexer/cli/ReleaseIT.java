package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packages of config/release.sh, made of the program in target. The archive is tried by a user
 * who may write nothing in it, from a path with spaces, and where root runs the test, without any
 * JDK on the machine.
 */
@Thorough
@Timeout(600)
class ReleaseIT {
  private static final String VERSION = "1.2.3-SNAPSHOT";

  /** What a newcomer does; expects the program's directory and one that may be written to. */
  private static final String TOUR =
      """
      set -eu
      program=$1 work=$2 samples=$3
      mkdir -p "$work"
      cd "$work"
      ! command -v java
      code=0
      "$program/bin/indexer" build "$samples/site" --output index --export lucene:lucene || code=$?
      [ $code = 1 ] # one picture is skipped
      "$program/bin/indexer" search index sorting
      "$program/bin/indexer" verify index
      "$program/bin/indexer" export lucene index old --lucene-version 9.12
      "$program/bin/indexer" export ciff index index.ciff
      "$program/bin/indexer" settings
      [ ! -w "$program/bin/indexer" ]
      """;

  @TempDir private static Path directory;
  private static Path made = Path.of("");

  @BeforeAll
  static void makePackages() throws IOException, InterruptedException {
    made = release(directory.resolve("first"));
  }

  private static Path release(Path to) throws IOException, InterruptedException {
    Ended ended =
        Launcher.run(
            Path.of("config/release.sh"),
            Map.of("INDEXER_JAVA_HOME", System.getProperty("java.home")),
            "target",
            VERSION,
            to.toString());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return to;
  }

  @Test
  void theSameSourcesGiveTheSameBytes() throws IOException, InterruptedException {
    Path again = release(directory.resolve("second"));
    List<Path> packages = files(made);
    assertThat(packages).isNotEmpty();
    assertThat(files(again).stream().map(Path::getFileName))
        .isEqualTo(packages.stream().map(Path::getFileName).toList());
    for (Path file : packages) {
      assertThat(again.resolve(file.getFileName())).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void anotherUserRunsTheArchiveWithoutAJdk() throws IOException, InterruptedException {
    assumeTrue(
        bash("unshare --mount true && setpriv --reuid=65534 true").exitCode() == 0,
        "only root can hide the JDKs of a machine");
    Path place = Files.createDirectories(directory.resolve("a place with spaces"));
    Path samples = directory.resolve("samples");
    Path work = directory.resolve("work");
    // Permissions of test directories are those of their owner alone.
    Ended unpacked =
        bash(
            """
            tar -C '%s' --strip-components=1 -xf '%s' && cp -r corpus-samples '%s' && mkdir '%s' &&
            chmod a+rx '%s' && chmod -R a-w '%1$s' && chmod a+rwx '%4$s'
            """
                .formatted(place, archive(), samples, work, directory));
    assertThat(unpacked.exitCode()).as(unpacked.err()).isZero();
    Path tour = Files.writeString(directory.resolve("tour.sh"), TOUR);
    Files.setPosixFilePermissions(tour, PosixFilePermissions.fromString("rw-r--r--"));
    Path jdk = Path.of(System.getProperty("java.home")).toRealPath();
    Ended toured =
        bash(
            """
            unshare --mount bash -c '
              for jdk in /usr/lib/jvm /opt/java "%s"; do
                [ ! -d "$jdk" ] || mount -t tmpfs tmpfs "$jdk"
              done
              exec setpriv --reuid=65534 --regid=65534 --clear-groups \\
                env -i PATH=/usr/bin:/bin bash "%s" "%s" "%s/tour" "%s"'
            """
                .formatted(jdk, tour, place, work, samples));
    assertThat(toured.exitCode()).as(toured.out() + toured.err()).isZero();
    assertThat(toured.out()).contains("an index of 124 documents", "  1. ", "index.ciff");
    assertThat(toured.err()).doesNotContain("WARNING", "Exception");
  }

  @Test
  void thePackageForDebianHasTheProgramItsSettingsAndItsManualPage()
      throws IOException, InterruptedException {
    assumeTrue(bash("command -v dpkg-deb").exitCode() == 0, "there is no dpkg-deb");
    Path file =
        files(made).stream().filter(f -> f.toString().endsWith(".deb")).findFirst().orElseThrow();
    Ended listed = bash("dpkg-deb --field '%s' && dpkg-deb --contents '%1$s'".formatted(file));
    assertThat(listed.exitCode()).as(listed.err()).isZero();
    assertThat(listed.out())
        .contains(
            "Version: 1.2.3~snapshot",
            "./etc/indexer/indexer.properties",
            "./usr/bin/indexer -> ../lib/indexer/bin/indexer",
            "./usr/lib/indexer/runtime/bin/java",
            "./usr/share/man/man1/indexer.1.gz",
            "./usr/share/doc/indexer/licences/lucene-core-")
        .doesNotContain("staging-");
    Path tree = directory.resolve("deb");
    Ended run =
        bash(
            "dpkg-deb -x '%s' '%s' && env -i PATH=/usr/bin:/bin '%2$s/usr/bin/indexer' --version"
                .formatted(file, tree));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).startsWith("indexer ");
  }

  private static Path archive() throws IOException {
    return files(made).stream().filter(f -> f.toString().endsWith(".gz")).findFirst().orElseThrow();
  }

  private static List<Path> files(Path in) throws IOException {
    try (Stream<Path> files = Files.list(in)) {
      return files.sorted().toList();
    }
  }

  private static Ended bash(String script) throws IOException, InterruptedException {
    return Launcher.run(Path.of("bash"), Map.of(), "-c", script);
  }
}
