package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.DecoderGuard;
import java.util.EnumMap;
import java.util.Map;

/** Has so much, and knows the most that was reserved. */
public class CountedDecoders implements DecoderGuard {
  public final Map<Memory, Long> most = new EnumMap<>(Memory.class);
  private final Map<Memory, Long> reserved = new EnumMap<>(Memory.class);
  private final long heapBytes;
  private final long outsideBytes;

  public CountedDecoders(long heapBytes, long outsideBytes) {
    this.heapBytes = heapBytes;
    this.outsideBytes = outsideBytes;
  }

  public void assertAllGivenBack() {
    assertThat(reserved.values()).allMatch(bytes -> bytes == 0);
  }

  @Override
  public long largestBytes(Memory memory) {
    return memory == Memory.HEAP ? heapBytes : outsideBytes;
  }

  @Override
  public long reservedBytes(Memory memory) {
    return reserved.getOrDefault(memory, 0L);
  }

  @Override
  public boolean reserve(Memory memory, long bytes) throws InterruptedException {
    long all = reservedBytes(memory) + bytes;
    if (all > largestBytes(memory)) {
      return false;
    }
    reserved.put(memory, all);
    most.merge(memory, all, Math::max);
    return true;
  }

  @Override
  public void release(Memory memory, long bytes) {
    reserved.merge(memory, -bytes, Long::sum);
  }
}
