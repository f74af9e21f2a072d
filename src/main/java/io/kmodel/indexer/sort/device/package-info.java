/**
 * The sorters on devices that papers compare with the network. They order keys or records in device
 * memory; their kernels are in kernels/sorters. No build uses them.
 */
@NullMarked
package io.kmodel.indexer.sort.device;

import org.jspecify.annotations.NullMarked;
