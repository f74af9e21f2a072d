package io.kmodel.indexer.indexing.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.report.Json;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Tasks and their results as texts, so that an engine needs to know neither. A text is a word and a
 * JSON object:
 *
 * <pre>
 * invert {"number":0,"part":{…},…}    result: split {"number":0,"name":"000000-…",…}
 * merge {"number":7,"from":"AGE=",…}  result: range {"number":7,"name":"000007-…",…}
 * shard {"number":1,"splits":[…],…}   result: made {"number":1,"name":"000001-…",…}
 * </pre>
 *
 * <p>A failure that every attempt would repeat is a result, too: {@code failed
 * {"kind":"DUPLICATE","message":"…"}}. All others are exceptions.
 */
public final class Tasks {
  private static final String INVERT = "invert";
  private static final String MERGE = "merge";
  private static final String SHARD = "shard";
  private static final String SPLIT = "split";
  private static final String RANGE = "range";
  private static final String MADE = "made";
  private static final String FAILED = "failed";

  /** Failures that a retry would repeat. */
  private enum Kind {
    OPTIONS,
    DUPLICATE,
    LIMIT
  }

  private record Failure(Kind kind, String message) {
    IOException exception() {
      return switch (kind) {
        case OPTIONS -> throw new BuildException(message);
        case DUPLICATE -> new DuplicateIdException(message);
        case LIMIT -> throw new FormatLimitException(message);
      };
    }
  }

  private Tasks() {}

  static String of(InvertTask task) {
    return text(INVERT, task);
  }

  static String of(MergeTask task) {
    return text(MERGE, task);
  }

  static String of(ShardTask task) {
    return text(SHARD, task);
  }

  private static String text(String word, Object value) {
    try {
      return word + " " + Json.MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Runs a task.
   *
   * @param slots how many tasks share the memory of this process
   * @param scratch a directory on this machine's own disk, for copies
   * @return its result
   * @throws IOException if this attempt failed, although another one may not
   */
  public static String run(String task, int slots, Path scratch)
      throws IOException, InterruptedException {
    try {
      if (task.startsWith(INVERT)) {
        return text(SPLIT, Inverting.run(read(task, InvertTask.class), slots, scratch));
      }
      return task.startsWith(SHARD)
          ? text(MADE, Sharding.run(read(task, ShardTask.class), scratch))
          : text(RANGE, Merging.run(read(task, MergeTask.class), slots, scratch));
    } catch (BuildException e) {
      return failure(Kind.OPTIONS, e);
    } catch (DuplicateIdException e) {
      return failure(Kind.DUPLICATE, e);
    } catch (FormatLimitException e) {
      return failure(Kind.LIMIT, e);
    }
  }

  private static String failure(Kind kind, Exception e) {
    return text(FAILED, new Failure(kind, String.valueOf(e.getMessage())));
  }

  /** The split of a result. */
  static SealedSplit split(String result) throws IOException {
    return result(result, SealedSplit.class);
  }

  /** The range of a result. */
  static SealedRange range(String result) throws IOException {
    return result(result, SealedRange.class);
  }

  /** The shard of a result. */
  static SealedShard shard(String result) throws IOException {
    return result(result, SealedShard.class);
  }

  private static <T> T result(String text, Class<T> type) throws IOException {
    if (text.startsWith(FAILED)) {
      throw read(text, Failure.class).exception();
    }
    return read(text, type);
  }

  private static <T> T read(String text, Class<T> type) {
    try {
      return Json.MAPPER.readValue(text.substring(text.indexOf(' ') + 1), type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a damaged message: " + e.getOriginalMessage(), e);
    }
  }
}
