package io.kmodel.indexer.gpu;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;

/**
 * A device with our kernels loaded in its primary context. Safe for many threads; each calls {@link
 * #use} first. Failures are {@link GpuException}s; after some of them every further call of this
 * process fails. Close streams and memory before the device, which releases the context.
 */
public final class GpuDevice implements AutoCloseable {
  private final GpuInfo info;
  private final CUdevice device;
  private final CUcontext context;
  private final CUmodule module;
  private final Map<GpuKernel, CUfunction> functions = new HashMap<>();

  /**
   * Prepares a device and makes it current in the calling thread.
   *
   * @param image the compiled kernels
   */
  public GpuDevice(GpuInfo info, byte[] image, List<GpuKernel> kernels) {
    this.info = info;
    this.device = Cuda.device(info.ordinal());
    this.context = Cuda.retainPrimaryContext(device);
    try {
      use();
      this.module = Cuda.loadModule(image);
      for (GpuKernel kernel : kernels) {
        CUfunction function = Cuda.function(module, kernel.name());
        Cuda.allowSharedBytes(function, kernel.sharedBytes());
        functions.put(kernel, function);
      }
    } catch (GpuException e) {
      // This unloads the module, too.
      Cuda.releasePrimaryContext(device);
      throw e;
    }
  }

  public GpuInfo info() {
    return info;
  }

  /** Makes this device current in the calling thread. */
  public void use() {
    Cuda.setCurrent(context);
  }

  /** Whether this device can access a peer's memory without the host. */
  public boolean canAccess(GpuDevice peer) {
    return Cuda.canAccess(device, peer.device);
  }

  /**
   * Lets kernels and copies of this device, which is current, access a peer's memory until one of
   * both is closed.
   */
  public void enableAccess(GpuDevice peer) {
    Cuda.enableAccess(peer.context);
  }

  void copyFromPeer(GpuDevice peer, long from, long to, long bytes, CUstream stream) {
    Cuda.copyFromPeer(peer.context, from, context, to, bytes, stream);
  }

  /**
   * The device's free memory, in bytes.
   *
   * @throws GpuException if it is less than {@code leastBytes}
   */
  public long freeBytes(long leastBytes) {
    long free = Cuda.freeBytes();
    if (free < leastBytes) {
      throw GpuException.tooLittleFree(free, leastBytes);
    }
    return free;
  }

  public GpuMemory allocate(long bytes) {
    return new GpuMemory(bytes);
  }

  /** Allocates {@code most} bytes, or {@code least} if the device has too little left. */
  public GpuMemory allocate(long least, long most) {
    try {
      return allocate(most);
    } catch (GpuException e) {
      if (least == most || !e.isOutOfMemory()) {
        throw e;
      }
      return allocate(least);
    }
  }

  public GpuStream newStream() {
    return new GpuStream(this);
  }

  CUfunction function(GpuKernel kernel) {
    CUfunction function = functions.get(kernel);
    if (function == null) {
      throw new IllegalArgumentException("the device was not prepared for " + kernel);
    }
    return function;
  }

  @Override
  public void close() {
    use();
    try {
      Cuda.unload(module);
    } finally {
      Cuda.releasePrimaryContext(device);
    }
  }
}
