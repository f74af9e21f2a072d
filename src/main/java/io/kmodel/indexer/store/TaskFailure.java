package io.kmodel.indexer.store;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** What another thread's task has failed by, for who has waited for it. */
public final class TaskFailure {
  private TaskFailure() {}

  /** What the task threw. */
  public static Throwable cause(ExecutionException e) {
    return e.getCause() == null ? e : e.getCause();
  }

  /**
   * Throws what a task threw: an IOException, an error, or what is unchecked; any other exception
   * in an IllegalStateException. In one is an illegal argument, too: a task that finds one has a
   * defect, or Lucene has, and it is no matter of the options, which {@link
   * IllegalArgumentException} is elsewhere.
   *
   * @return nothing: for the compiler, which is told that way that a statement throws
   */
  public static IllegalStateException rethrow(Throwable cause) throws IOException {
    Throwables.throwIfInstanceOf(cause, IOException.class);
    if (!(cause instanceof IllegalArgumentException)) {
      Throwables.throwIfUnchecked(cause);
    }
    throw new IllegalStateException(cause);
  }
}
