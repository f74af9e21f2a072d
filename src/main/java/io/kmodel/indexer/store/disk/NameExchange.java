package io.kmodel.indexer.store.disk;

import com.google.common.base.Preconditions;
import com.google.common.base.Throwables;
import io.kmodel.indexer.memory.NativeFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges the names of two files or directories in one step, by renameat2(2) of Linux. At every
 * moment, even after a crash, both names exist. {@code -Dindexer.exchange=false} switches it off.
 */
final class NameExchange {
  private static final String FUNCTION = "renameat2";

  /** Paths are relative to the working directory. */
  private static final int AT_FDCWD = -100;

  private static final int RENAME_EXCHANGE = 2;

  /**
   * Error numbers of a system, file system or container that cannot exchange, and has changed
   * nothing: EPERM, ENOENT, EACCES, EBUSY, EXDEV, EINVAL, ENOSYS, EOPNOTSUPP.
   */
  private static final Set<Integer> REFUSALS = Set.of(1, 2, 13, 16, 18, 22, 38, 95);

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** Null if the function cannot be called. */
  private static final @Nullable MethodHandle RENAME =
      Boolean.parseBoolean(System.getProperty("indexer.exchange", "true"))
              && "Linux".equals(System.getProperty("os.name"))
          ? NativeFunction.find(
              FUNCTION,
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_INT),
              Linker.Option.captureCallState("errno"))
          : null;

  private NameExchange() {}

  /** Whether {@link #exchange} is worth trying. */
  static boolean isPossible(Path first, Path second) {
    return RENAME != null && isPlain(first) && isPlain(second);
  }

  /** Whether the system knows a path by its text in UTF-8. */
  private static boolean isPlain(Path path) {
    String text = path.toString();
    return path.getFileSystem() == FileSystems.getDefault()
        && Path.of(text).equals(path)
        && ("UTF-8".equals(System.getProperty("sun.jnu.encoding"))
            || StandardCharsets.US_ASCII.newEncoder().canEncode(text));
  }

  /**
   * Exchanges two names.
   *
   * @return false if the system refused, and changed nothing
   * @throws IOException if it failed in another way; the names may be exchanged or not
   */
  static boolean exchange(Path first, Path second) throws IOException {
    MethodHandle rename = Preconditions.checkNotNull(RENAME);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment from = arena.allocateFrom(first.toString());
      MemorySegment to = arena.allocateFrom(second.toString());
      int result = (int) rename.invokeExact(state, AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE);
      if (result == 0) {
        return true;
      }
      int error = (int) ERRNO.get(state, 0L);
      if (REFUSALS.contains(error)) {
        return false;
      }
      throw new FileSystemException(
          first.toString(),
          second.toString(),
          "names cannot be exchanged: error %d of %s".formatted(error, FUNCTION));
    } catch (Throwable e) {
      Throwables.throwIfInstanceOf(e, IOException.class);
      Throwables.throwIfUnchecked(e);
      throw new IllegalStateException(FUNCTION + " cannot be called", e);
    }
  }
}
