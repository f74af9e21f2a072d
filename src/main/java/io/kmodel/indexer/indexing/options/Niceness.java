package io.kmodel.indexer.indexing.options;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The nice value of a thread, by which Linux shares the cores out among threads that want them.
 *
 * <p>A build of some seconds is one in which Java still compiles. Where all cores are busy with
 * code that waits to be compiled, the compiler gets a share of them like any other thread, and all
 * the others go on in slow code until it is done. So they give way to it (docs/performance.md).
 * Other programs on the machine that want the same cores come first, too, then, as long as the
 * thread runs: without privileges nobody can take that back.
 */
final class Niceness {
  /** Added to the nice value of each worker: as much as the command nice adds. */
  private static final int OF_WORKERS = Integer.getInteger("indexer.nice", 10);

  /**
   * nice(3): for the calling thread alone, which is how Linux has it; elsewhere it would be for the
   * whole process, the compiler included.
   */
  private static final @Nullable MethodHandle NICE =
      "Linux".equals(System.getProperty("os.name")) ? nice() : null;

  private Niceness() {}

  /** Has the calling thread give way to those that did not call this, where that is possible. */
  static void raise() {
    MethodHandle nice = NICE;
    if (nice == null || OF_WORKERS <= 0) {
      return;
    }
    try {
      // What it answers is of no use: where it fails, the thread is as nice as it was.
      int ignored = (int) nice.invokeExact(OF_WORKERS);
    } catch (Throwable e) {
      // The build goes on without it.
    }
  }

  private static @Nullable MethodHandle nice() {
    try {
      return link();
    } catch (UnsupportedOperationException | IllegalCallerException | LinkageError e) {
      return null; // No linker, or no leave to use it: the build goes on without it.
    }
  }

  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    return linker
        .defaultLookup()
        .find("nice")
        .map(function -> linker.downcallHandle(function, type))
        .orElse(null);
  }
}
