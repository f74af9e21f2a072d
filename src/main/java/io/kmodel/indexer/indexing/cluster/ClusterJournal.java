package io.kmodel.indexer.indexing.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The finished work of a build on a cluster: a plan, and a small file for each inverted split with
 * the result of its task (see {@link Tasks}). The driver alone writes them.
 */
final class ClusterJournal {
  static final String PLAN = "plan.json";
  static final String SEALED = "sealed";

  /**
   * What must be the same for a build to continue another one.
   *
   * @param options all that decide the contents, by name
   * @param equalSplits whether the last splits are as large as the others
   * @param cut a checksum of where the splits begin and end, so that their numbers mean the same
   */
  record Plan(Map<String, String> options, long splitBytes, boolean equalSplits, int cut) {}

  private final Workspace work;
  private final Map<Integer, SealedSplit> splits = new TreeMap<>();

  private ClusterJournal(Workspace work) {
    this.work = work;
  }

  /**
   * Reads the plan of an interrupted build.
   *
   * @return null without one
   * @throws BuildException if it is damaged
   */
  static @Nullable Plan plan(Workspace work) throws IOException {
    byte[] plan = work.read(PLAN);
    if (plan == null) {
      return null;
    }
    try {
      return Json.MAPPER.readValue(plan, Plan.class);
    } catch (JsonProcessingException e) {
      throw new BuildException(
          "%s/%s is damaged; start over with --restart".formatted(work.place(), PLAN));
    }
  }

  /** Starts a journal. Without the plan, nothing can be resumed, and no task starts. */
  static ClusterJournal create(Workspace work, Plan plan) throws IOException {
    work.write(PLAN, Json.MAPPER.writeValueAsBytes(plan));
    return new ClusterJournal(work);
  }

  /** Continues a journal. */
  static ClusterJournal resume(Workspace work) throws IOException {
    ClusterJournal journal = new ClusterJournal(work);
    for (byte[] result : work.readAll(SEALED).values()) {
      SealedSplit split = Tasks.split(new String(result, StandardCharsets.UTF_8));
      journal.splits.put(split.number(), split);
    }
    return journal;
  }

  /** The split with this number; null if it is not inverted. */
  @Nullable SealedSplit split(int number) {
    return splits.get(number);
  }

  /** The names of all inverted splits. */
  Set<String> names() {
    return splits.values().stream().map(SealedSplit::name).collect(Collectors.toSet());
  }

  /** Forgets a damaged split. */
  void forget(int number) {
    splits.remove(number);
  }

  /** Adds the result of a task, and forces it to disk. */
  void add(String result, SealedSplit split) throws IOException {
    work.write(
        "%s/%06d".formatted(SEALED, split.number()), result.getBytes(StandardCharsets.UTF_8));
    splits.put(split.number(), split);
  }
}
