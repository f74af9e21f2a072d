package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.build.BuildReport;
import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.store.Directories;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program is killed, at random moments and at every step by which it keeps what is finished,
 * and goes on with {@code --resume} to the bytes of an undisturbed build. {@code
 * -Dindexer.kills=200} has it killed more often, {@code -Dindexer.seed=…} at other moments.
 */
@Timeout(3600)
class KillIT {
  private static final int KILLED = 137;
  private static final int FILES = 60;
  private static final int FILE_BYTES = 80_000;
  private static final int KILLS = Integer.getInteger("indexer.kills", 10);

  /** So few that runs are merged in passes. */
  private static final int OPEN_FILES = 64;

  @TempDir static Path shared;
  @TempDir Path directory;

  private static SortedMap<String, Integer> expected = new TreeMap<>();
  private static long undisturbedMillis;
  private Program program = new Program(Path.of(""));
  private String output = "";

  @BeforeAll
  static void buildUndisturbed() throws IOException, InterruptedException {
    writeCorpus(Files.createDirectory(shared.resolve("crawl")));
    Program program = new Program(shared).withOpenFiles(OPEN_FILES);
    String index = shared.resolve("undisturbed").toString();
    long start = System.nanoTime();
    Ended ended = program.run(List.of(), arguments(index));
    undisturbedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
    expected = files(Path.of(index));
    assertThat(BuildReport.read(Path.of(index)).runs()).isGreaterThan(10);
  }

  @BeforeEach
  void prepare() {
    program = new Program(directory).withOpenFiles(OPEN_FILES);
    output = directory.resolve("index").toString();
  }

  @Test
  void aBuildThatIsKilledAtRandomMomentsIsGoneOnWithToTheSameBytes()
      throws IOException, InterruptedException {
    long seed = Long.getLong("indexer.seed", 20261121);
    Random random = new Random(seed);
    int kills = 0;
    int builds = 0;
    int resumed = 0;
    while (kills < KILLS || builds == 0) {
      Process process = program.start(List.of(), arguments(output));
      boolean ended =
          process.waitFor(
              kills < KILLS ? random.nextLong(undisturbedMillis) : Long.MAX_VALUE,
              TimeUnit.MILLISECONDS);
      if (!ended) {
        process.destroyForcibly();
        kills++;
      }
      Ended how = program.end(process);
      resumed += how.err().contains("going on with") ? 1 : 0;
      assertThat(how.exitCode())
          .as("kill %d of seed %d: %s", kills, seed, how.err())
          .isIn(ExitCode.OK, KILLED);
      if (how.exitCode() == ExitCode.OK) {
        assertThat(files(Path.of(output))).as("seed %d", seed).isEqualTo(expected);
        assertThat(Path.of(output + ".building")).doesNotExist();
        Directories.deleteTree(Path.of(output));
        builds++;
      } else if (Files.exists(Path.of(output))) {
        // It was killed after the index was in its place.
        assertThat(files(Path.of(output))).as("seed %d", seed).isEqualTo(expected);
        Directories.deleteTree(Path.of(output));
        Directories.deleteTree(Path.of(output + ".building"));
        builds++;
      }
    }
    System.out.printf(
        "seed %d: %d kills, %d builds went on, %d indexes, all the same%n",
        seed, kills, resumed, builds);
  }

  @Test
  void aBuildThatIsKilledAtEveryStepIsGoneOnWithToTheSameBytes()
      throws IOException, InterruptedException {
    Ended old =
        program.run(List.of(), "build", "corpus-samples/trec/docs", "--output", output, "-q");
    assertThat(old.exitCode()).as(old.err()).isEqualTo(ExitCode.OK);
    SortedMap<String, Integer> before = files(Path.of(output));
    List<String> steps = new ArrayList<>();
    for (String step :
        List.of(
            "SPLIT_READ",
            "SPLIT_READ:3",
            "FORCED",
            "WRITTEN",
            "SEALED",
            "RUNS_MERGED",
            "RANGE_MERGED",
            "RANGE_MERGED:2",
            "ALL_MERGED",
            "ASSEMBLED",
            "MOVED_OUT",
            "PUBLISHED",
            "FORGOTTEN")) {
      String[] arguments = arguments(output);
      String[] overwriting = Arrays.copyOf(arguments, arguments.length + 1);
      overwriting[arguments.length] = "--overwrite";
      Ended ended = program.run(List.of("-Dindexer.end-at=" + step), overwriting);
      assertThat(ended.exitCode()).as("%s: %s", step, ended.err()).isEqualTo(KILLED);
      steps.add(step);
      boolean isThere = Files.exists(Path.of(output));
      assertThat(isThere).as(step).isEqualTo(!step.equals("MOVED_OUT"));
      if (isThere) {
        boolean isNew = step.equals("PUBLISHED") || step.equals("FORGOTTEN");
        assertThat(files(Path.of(output))).as(step).isEqualTo(isNew ? expected : before);
      }
    }
    System.out.printf("killed at %s; the same index%n", steps);
  }

  @Test
  void aBuildThatIsToldToStopSaysHowToGoOn() throws IOException, InterruptedException {
    Process process = program.start(List.of(), arguments(output));
    Path journal = Path.of(output + ".building/journal");
    while (process.isAlive() && !Files.exists(journal)) {
      Thread.sleep(1);
    }
    Thread.sleep(50);
    process.destroy();
    Ended ended = program.end(process);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(143);
    assertThat(ended.err())
        .contains("finished splits are kept in")
        .contains("the same command with --resume goes on from there")
        .contains("indexer: stopped");
    assertThat(Path.of(output)).doesNotExist();
    Ended resumed = program.run(List.of(), arguments(output));
    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.err()).contains("going on with");
    assertThat(files(Path.of(output))).isEqualTo(expected);
  }

  @Test
  void theOwnerOfALockedOutputIsNamed() throws IOException, InterruptedException {
    Path work = Files.createDirectory(Path.of(output + ".building"));
    String owner = "process %d on this machine".formatted(ProcessHandle.current().pid());
    try (FileChannel file =
            FileChannel.open(
                work.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      file.write(ByteBuffer.wrap(owner.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
      assertThat(lock.isValid()).isTrue();
      Ended ended = program.run(List.of(), arguments(output));
      assertThat(ended.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(ended.err()).contains("another build is at work on " + output, owner);
    }
    // The file is still there; nobody holds it.
    Ended ended = program.run(List.of(), arguments(output));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
  }

  private static String[] arguments(String index) {
    return new String[] {
      "build",
      shared.resolve("crawl").toString(),
      "--output",
      index,
      "--threads",
      "3",
      "--seal-every",
      "0",
      "--resume",
      "-q"
    };
  }

  /** Text of a vocabulary with a long tail. */
  private static void writeCorpus(Path crawl) throws IOException {
    Random random = new Random(6);
    for (int file = 0; file < FILES; file++) {
      Path part = Files.createDirectories(crawl.resolve("part-%d".formatted(file / 4)));
      try (BufferedWriter out =
          Files.newBufferedWriter(part.resolve("page-%04d.txt".formatted(file)))) {
        for (int written = 0; written < FILE_BYTES; ) {
          int rank = (int) Math.exp(random.nextDouble() * 11);
          String word = Integer.toString(rank * 7919 + 10_000, 36);
          out.write(word);
          out.write(random.nextInt(12) == 0 ? '\n' : ' ');
          written += word.length() + 1;
        }
      }
    }
  }

  /** Every file of an index but the report, by the hash of its bytes. */
  private static SortedMap<String, Integer> files(Path index) throws IOException {
    SortedMap<String, Integer> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(index)) {
      for (Path file : (Iterable<Path>) entries::iterator) {
        if (!file.endsWith(BuildReport.FILE_NAME)) {
          files.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }
}
