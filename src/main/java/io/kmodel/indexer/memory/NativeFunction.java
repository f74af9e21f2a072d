package io.kmodel.indexer.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Functions of the system's C library, called through the foreign function API. */
public final class NativeFunction {
  private NativeFunction() {}

  /**
   * Links a function that the program can do without.
   *
   * @return null if the system has no such function, or Java has no linker or no permission for it
   */
  @SuppressWarnings("restricted")
  public static @Nullable MethodHandle find(
      String name, FunctionDescriptor type, Linker.Option... options) {
    try {
      Linker linker = Linker.nativeLinker();
      return linker
          .defaultLookup()
          .find(name)
          .map(function -> linker.downcallHandle(function, type, options))
          .orElse(null);
    } catch (UnsupportedOperationException | IllegalCallerException | LinkageError e) {
      return null;
    }
  }
}
