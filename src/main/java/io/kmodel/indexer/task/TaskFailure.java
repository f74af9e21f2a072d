package io.kmodel.indexer.task;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** Rethrows failures of tasks in the thread that waited for them. */
public final class TaskFailure {
  private TaskFailure() {}

  /** The exception thrown by the task. */
  public static Throwable cause(ExecutionException e) {
    return e.getCause() == null ? e : e.getCause();
  }

  /**
   * Rethrows a task's exception: an IOException, Error or unchecked exception as it is, any other
   * wrapped in an IllegalStateException. An {@link IllegalArgumentException} is wrapped, too: from
   * a task it is a defect of this program or of Lucene, whereas elsewhere it reports invalid
   * options.
   *
   * @return nothing; the type lets callers write {@code throw rethrow(e)} for the compiler
   */
  public static IllegalStateException rethrow(Throwable cause) throws IOException {
    Throwables.throwIfInstanceOf(cause, IOException.class);
    if (!(cause instanceof IllegalArgumentException)) {
      Throwables.throwIfUnchecked(cause);
    }
    throw new IllegalStateException(cause);
  }
}
