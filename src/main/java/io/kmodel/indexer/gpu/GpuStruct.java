package io.kmodel.indexer.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A parameter of a kernel that is passed by value: a struct whose fields are all numbers or device
 * addresses of 8 bytes. May be changed once a launch has returned. Not thread-safe.
 */
public final class GpuStruct {
  private final MemorySegment words;

  public GpuStruct(int fields) {
    this.words = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, fields);
  }

  public void set(int field, long value) {
    words.setAtIndex(ValueLayout.JAVA_LONG, field, value);
  }

  public long get(int field) {
    return words.getAtIndex(ValueLayout.JAVA_LONG, field);
  }

  /** Sets a field to the address of a byte in device memory. */
  public void set(int field, GpuMemory memory, long at) {
    set(field, memory.address() + at);
  }

  long address() {
    return words.address();
  }
}
