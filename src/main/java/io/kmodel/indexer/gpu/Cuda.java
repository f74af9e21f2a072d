package io.kmodel.indexer.gpu;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * The CUDA driver's calls that this program uses, one method each. Every call goes through {@link
 * #check}, which throws a {@link GpuException} for any code except success. Queries whether work
 * has ended return a boolean instead.
 */
final class Cuda {
  private static final int SUCCESS = CUresult.CUDA_SUCCESS;
  private static final int NOT_READY = CUresult.CUDA_ERROR_NOT_READY;
  private static final int IS_ENABLED = CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  private static final int NAME_BYTES = 256;

  /** Host memory by its address. */
  private static final class Host extends Pointer {
    Host(long address) {
      super(address);
    }
  }

  /** Device memory whose address can be read. */
  private static final class Allocation extends CUdeviceptr {
    long address() {
      return getNativePointer();
    }
  }

  private Cuda() {}

  private static void check(String call, int code, long bytes) {
    if (code != SUCCESS) {
      throw new GpuException(call, code, CUresult.stringFor(code), bytes);
    }
  }

  private static void check(String call, int code) {
    check(call, code, 0);
  }

  private static boolean ended(String call, int code) {
    if (code == NOT_READY) {
      return false;
    }
    check(call, code);
    return true;
  }

  // ---- driver and devices

  /** Loads jcuda's library by first use of jcuda. This class checks the codes itself. */
  static void loadLibrary() {
    JCudaDriver.setExceptionsEnabled(false);
  }

  static void init() {
    check("cuInit", JCudaDriver.cuInit(0));
  }

  static List<GpuInfo> devices() {
    int[] count = new int[1];
    check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
    List<GpuInfo> devices = new ArrayList<>();
    for (int ordinal = 0; ordinal < count[0]; ordinal++) {
      CUdevice device = device(ordinal);
      byte[] name = new byte[NAME_BYTES];
      check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, NAME_BYTES, device));
      long[] bytes = new long[1];
      check("cuDeviceTotalMem", JCudaDriver.cuDeviceTotalMem(bytes, device));
      int major =
          attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
      int minor =
          attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
      String text = new String(name, StandardCharsets.UTF_8).replace("\0", "").strip();
      devices.add(new GpuInfo(ordinal, text, bytes[0], 10 * major + minor));
    }
    return devices;
  }

  static CUdevice device(int ordinal) {
    CUdevice device = new CUdevice();
    check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
    return device;
  }

  private static int attribute(int attribute, CUdevice device) {
    int[] value = new int[1];
    check("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
    return value[0];
  }

  static CUcontext retainPrimaryContext(CUdevice device) {
    CUcontext context = new CUcontext();
    check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
    return context;
  }

  static void releasePrimaryContext(CUdevice device) {
    check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device));
  }

  static void setCurrent(CUcontext context) {
    check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
  }

  // ---- peers

  static boolean canAccess(CUdevice device, CUdevice peer) {
    int[] can = new int[1];
    check("cuDeviceCanAccessPeer", JCudaDriver.cuDeviceCanAccessPeer(can, device, peer));
    return can[0] != 0;
  }

  /** Lets the current context access a peer's memory until one of both contexts ends. */
  static void enableAccess(CUcontext peer) {
    int code = JCudaDriver.cuCtxEnablePeerAccess(peer, 0);
    if (code != IS_ENABLED) {
      check("cuCtxEnablePeerAccess", code);
    }
  }

  static void copyFromPeer(
      CUcontext source, long from, CUcontext target, long to, long bytes, CUstream stream) {
    check(
        "cuMemcpyPeerAsync",
        JCudaDriver.cuMemcpyPeerAsync(onDevice(to), target, onDevice(from), source, bytes, stream),
        bytes);
  }

  // ---- memory

  static long freeBytes() {
    long[] free = new long[1];
    check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, new long[1]));
    return free[0];
  }

  /** Allocates memory of the current device and returns its address. */
  static long allocate(long bytes) {
    Allocation memory = new Allocation();
    check("cuMemAlloc", JCudaDriver.cuMemAlloc(memory, bytes), bytes);
    return memory.address();
  }

  static void free(long address) {
    check("cuMemFree", JCudaDriver.cuMemFree(onDevice(address)));
  }

  private static CUdeviceptr onDevice(long address) {
    return new CUdeviceptr().withByteOffset(address);
  }

  /** Pins pages for all contexts. */
  static void register(long address, long bytes) {
    int portable = JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE;
    check(
        "cuMemHostRegister",
        JCudaDriver.cuMemHostRegister(new Host(address), bytes, portable),
        bytes);
  }

  static void unregister(long address) {
    check("cuMemHostUnregister", JCudaDriver.cuMemHostUnregister(new Host(address)));
  }

  static void upload(long from, long to, long bytes, CUstream stream) {
    check(
        "cuMemcpyHtoDAsync",
        JCudaDriver.cuMemcpyHtoDAsync(onDevice(to), new Host(from), bytes, stream),
        bytes);
  }

  static void download(long from, long to, long bytes, CUstream stream) {
    check(
        "cuMemcpyDtoHAsync",
        JCudaDriver.cuMemcpyDtoHAsync(new Host(to), onDevice(from), bytes, stream),
        bytes);
  }

  static void copyWithin(long from, long to, long bytes, CUstream stream) {
    check(
        "cuMemcpyDtoDAsync",
        JCudaDriver.cuMemcpyDtoDAsync(onDevice(to), onDevice(from), bytes, stream),
        bytes);
  }

  static void clear(long address, long bytes, CUstream stream) {
    check(
        "cuMemsetD8Async",
        JCudaDriver.cuMemsetD8Async(onDevice(address), (byte) 0, bytes, stream),
        bytes);
  }

  // ---- streams and events

  static CUstream createStream() {
    CUstream stream = new CUstream();
    check(
        "cuStreamCreate",
        JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING));
    return stream;
  }

  static boolean hasEnded(CUstream stream) {
    return ended("cuStreamQuery", JCudaDriver.cuStreamQuery(stream));
  }

  static void destroy(CUstream stream) {
    check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(stream));
  }

  static CUevent createEvent() {
    CUevent event = new CUevent();
    check("cuEventCreate", JCudaDriver.cuEventCreate(event, 0));
    return event;
  }

  static void record(CUevent event, CUstream stream) {
    check("cuEventRecord", JCudaDriver.cuEventRecord(event, stream));
  }

  static void waitFor(CUstream stream, CUevent event) {
    check("cuStreamWaitEvent", JCudaDriver.cuStreamWaitEvent(stream, event, 0));
  }

  static double millis(CUevent start, CUevent end) {
    float[] millis = new float[1];
    check("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(millis, start, end));
    return millis[0];
  }

  static void destroy(CUevent event) {
    check("cuEventDestroy", JCudaDriver.cuEventDestroy(event));
  }

  // ---- kernels

  static CUmodule loadModule(byte[] image) {
    CUmodule module = new CUmodule();
    check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, image), image.length);
    return module;
  }

  static void unload(CUmodule module) {
    check("cuModuleUnload", JCudaDriver.cuModuleUnload(module));
  }

  static CUfunction function(CUmodule module, String name) {
    CUfunction function = new CUfunction();
    check(
        "cuModuleGetFunction(" + name + ")",
        JCudaDriver.cuModuleGetFunction(function, module, name));
    return function;
  }

  static void allowSharedBytes(CUfunction function, int bytes) {
    int attribute = CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    check("cuFuncSetAttribute", JCudaDriver.cuFuncSetAttribute(function, attribute, bytes), bytes);
  }

  /** Launches blocks of threads; {@code arguments} holds the addresses of the arguments. */
  static void launch(
      CUfunction function, int blocks, GpuKernel kernel, MemorySegment arguments, CUstream stream) {
    check(
        "cuLaunchKernel(" + kernel.name() + ")",
        JCudaDriver.cuLaunchKernel(
            function,
            blocks,
            1,
            1,
            kernel.threads(),
            1,
            1,
            kernel.sharedBytes(),
            stream,
            new Host(arguments.address()),
            null));
  }
}
