package io.kmodel.indexer.sort.device;

/**
 * Keys with values of 4 bytes in a device's memory and what else a sort may use there.
 *
 * @param keys address of the keys, before and after the sort
 * @param values address of the values, likewise
 * @param otherKeys address of as much memory again as the keys
 * @param otherValues address of as much memory again as the values
 * @param scratch address of the sorter's scratch bytes
 * @param count number of keys
 */
public record DevicePairs(
    long keys, long values, long otherKeys, long otherValues, long scratch, long count) {}
