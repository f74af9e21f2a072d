package io.kmodel.indexer.sort;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.GpuStream;
import java.util.List;

/**
 * The two kernels of the bitonic network for one kind of keys, and how to launch them. The first
 * superstep of a {@link KModelSchedule} sorts blocks of σ keys; each later one runs its steps on
 * parts. In place and not stable, any number of keys. The sizes match kernels/tuning.cuh.
 *
 * @param kind suffix of the kernels' names
 * @param keyBytes bytes of a key
 * @param log2Sigma M in tuning.cuh: logarithm of the keys of a part
 * @param log2ThreadKeys V: logarithm of the keys that one thread holds
 * @param log2K K: logarithm of the shortest rows that are moved
 */
public record KernelShape(String kind, int keyBytes, int log2Sigma, int log2ThreadKeys, int log2K) {
  /** Packed keys of at most 62 bits, compared as doubles. */
  public static final KernelShape PACKED = new KernelShape("f64", 13, 5, 3);

  /** Integers of 32 bits, which papers sort. */
  public static final KernelShape INTEGERS = new KernelShape("u32", Integer.BYTES, 14, 5, 4);

  /** Several times the number of parts that a large device works on at once. */
  private static final long LEAST_PARTS = 512;

  /** For keys of 8 bytes. */
  public KernelShape(String kind, int log2Sigma, int log2ThreadKeys, int log2K) {
    this(kind, Long.BYTES, log2Sigma, log2ThreadKeys, log2K);
  }

  public List<GpuKernel> kernels() {
    return List.of(sortBlocks(), mergeParts());
  }

  private GpuKernel sortBlocks() {
    return new GpuKernel("sort_blocks_" + kind, threads(), sharedBytes());
  }

  private GpuKernel mergeParts() {
    return new GpuKernel("merge_parts_" + kind, threads(), sharedBytes());
  }

  private int threads() {
    return 1 << (log2Sigma - log2ThreadKeys);
  }

  /** A part's keys, with a word of padding after each thread's share. */
  private int sharedBytes() {
    return keyBytes * ((1 << log2Sigma) + (1 << (log2Sigma - log2ThreadKeys)));
  }

  /**
   * The least bytes of keys in a lane. Runs of that size still occupy the whole device: 32 MiB of
   * packed keys.
   */
  long leastLaneBytes() {
    return (keyBytes * LEAST_PARTS) << log2Sigma;
  }

  /** Queues a sort of n keys. */
  public void sort(GpuStream stream, GpuMemory keys, long n) {
    sort(stream, keys.address(), n);
  }

  /** The same for keys at an address in device memory. */
  public void sort(GpuStream stream, long keys, long n) {
    List<Superstep> supersteps = schedule(n).supersteps();
    for (int i = 0; i < supersteps.size(); i++) {
      Superstep superstep = supersteps.get(i);
      long parts = superstep.partCount(n);
      if (i == 0) {
        stream.launch(sortBlocks(), parts, keys, n, 0);
      } else {
        long stage = superstep.steps().getFirst().stage();
        stream.launch(
            mergeParts(), parts, keys, n, 0, stage, tail(superstep), superstep.highBase());
      }
    }
  }

  public KModelSchedule schedule(long n) {
    return new KModelSchedule(n, log2Sigma, log2K, KModelSchedule.Mode.CROSS_STAGE);
  }

  /** Number of steps that end the superstep's first stage: all that remain of it, or none. */
  long tail(Superstep superstep) {
    if (superstep.highBits() == 0) {
      return log2Sigma;
    }
    int stage = superstep.steps().getFirst().stage();
    List<Superstep.Step> first =
        superstep.steps().stream().filter(step -> step.stage() == stage).toList();
    return first.getLast().bit() == 0 ? first.size() : 0;
  }
}
