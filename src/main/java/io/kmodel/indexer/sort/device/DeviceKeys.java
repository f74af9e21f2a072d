package io.kmodel.indexer.sort.device;

/**
 * Keys in a device's memory and what else a sort may use there.
 *
 * @param address of the keys, before and after the sort
 * @param other address of as much memory again, if the sorter needs it
 * @param scratch address of the sorter's scratch bytes
 * @param count number of keys
 */
public record DeviceKeys(long address, long other, long scratch, long count) {}
