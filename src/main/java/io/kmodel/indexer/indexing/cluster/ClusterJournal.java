package io.kmodel.indexer.indexing.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The finished work of a build on a cluster: a plan, and a line for each inverted split, in the
 * form of {@link Tasks}. Of several lines for a split, the last one counts; a line that was cut off
 * does not. The driver alone writes it.
 */
final class ClusterJournal implements AutoCloseable {
  static final String PLAN = "plan.json";
  static final String SPLITS = "splits.journal";

  /**
   * What must be the same for a build to continue another one.
   *
   * @param options all that decide the contents, by name
   */
  record Plan(Map<String, String> options, long splitBytes) {}

  private final FileChannel lines;
  private final Map<Integer, SealedSplit> splits = new TreeMap<>();

  private ClusterJournal(FileChannel lines) {
    this.lines = lines;
  }

  /**
   * Reads the plan of an interrupted build.
   *
   * @return null without one
   * @throws BuildException if it is damaged
   */
  static @Nullable Plan plan(Path directory) throws IOException {
    Path file = directory.resolve(PLAN);
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return Json.MAPPER.readValue(Files.readAllBytes(file), Plan.class);
    } catch (JsonProcessingException e) {
      throw new BuildException(file + " is damaged; start over with --restart");
    }
  }

  /** Starts a journal. The plan appears last: without it, there is nothing to resume. */
  static ClusterJournal create(Path directory, Plan plan) throws IOException {
    ClusterJournal journal =
        new ClusterJournal(
            FileChannel.open(
                directory.resolve(SPLITS),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE));
    Path file = directory.resolve(PLAN);
    Files.write(file, Json.MAPPER.writeValueAsBytes(plan));
    Directories.forceContent(file);
    Directories.force(file);
    return journal;
  }

  /** Continues a journal. */
  static ClusterJournal resume(Path directory) throws IOException {
    Path file = directory.resolve(SPLITS);
    String text = Files.readString(file);
    int whole = text.lastIndexOf('\n') + 1;
    FileChannel lines =
        FileChannel.open(file, StandardOpenOption.WRITE)
            .truncate(text.substring(0, whole).getBytes(StandardCharsets.UTF_8).length);
    ClusterJournal journal = new ClusterJournal(lines);
    lines.position(lines.size());
    List<String> all = text.substring(0, whole).lines().toList();
    for (String line : all) {
      SealedSplit split = Tasks.splitOf(line);
      if (split != null) {
        journal.splits.put(split.number(), split);
      }
    }
    return journal;
  }

  /** The split with this number; null if it is not inverted. */
  @Nullable SealedSplit split(int number) {
    return splits.get(number);
  }

  /** Forgets a damaged split. */
  void forget(int number) {
    splits.remove(number);
  }

  /** Adds the result of a task, and forces it to disk. */
  void add(String result, SealedSplit split) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((result + "\n").getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) {
      lines.write(line);
    }
    lines.force(false);
    splits.put(split.number(), split);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
