package io.kmodel.indexer.task;

import io.kmodel.indexer.memory.NativeFunction;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The nice value of a thread, by which Linux shares the cores among threads.
 *
 * <p>In a build of a few seconds, Java is still compiling. If all cores are busy with code that
 * waits for compilation, the compiler gets the share of one thread, and the others run slow code
 * until it is done. So workers yield to it. They also yield to other programs on the machine for as
 * long as they run: without privileges a thread cannot lower its nice value.
 */
final class Niceness {
  /** Added to the nice value of each worker; the default is that of the command nice. */
  private static final int OF_WORKERS = Integer.getInteger("indexer.nice", 10);

  /**
   * nice(3). On Linux it applies to the calling thread; elsewhere it would apply to the whole
   * process, including the compiler.
   */
  private static final @Nullable MethodHandle NICE =
      "Linux".equals(System.getProperty("os.name"))
          ? NativeFunction.find(
              "nice", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
          : null;

  private Niceness() {}

  /** Raises the nice value of the calling thread, if that is possible. */
  static void raise() {
    MethodHandle nice = NICE;
    if (nice == null || OF_WORKERS <= 0) {
      return;
    }
    try {
      // The result is not needed: if the call fails, the value is unchanged.
      int ignored = (int) nice.invokeExact(OF_WORKERS);
    } catch (Throwable e) {
      // Only a hint.
    }
  }
}
