package io.kmodel.indexer.gpu;

/**
 * A kernel and the shape of its blocks.
 *
 * @param threads of a block
 * @param sharedBytes dynamic shared memory of a block
 */
public record GpuKernel(String name, int threads, int sharedBytes) {}
