/** The sorters of records on devices, by the driver on the CPU. */
@NullMarked
package io.kmodel.indexer.sort.device.records;

import org.jspecify.annotations.NullMarked;
