/** The sorters on devices, by the driver on the CPU. */
@NullMarked
package io.kmodel.indexer.sort.device;

import org.jspecify.annotations.NullMarked;
