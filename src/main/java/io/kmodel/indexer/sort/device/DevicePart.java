package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuStream;
import java.lang.foreign.MemorySegment;

/**
 * A device's part of keys that are spread over several devices.
 *
 * @param lane for kernels and for what the device receives
 * @param keys whose memory, like the other, is in whole words of 8 bytes
 * @param sending a stream for what the device sends through the host
 * @param buffers two buffers of equal length, pinned as the lane's memory, for what the device
 *     receives through the host; empty if devices are peers
 */
public record DevicePart(
    GpuDevice device, DeviceLane lane, DeviceKeys keys, GpuStream sending, MemorySegment buffers) {}
