/**
 * The sorters on devices that papers compare with the network. They order keys, pairs or strings in
 * the memory of one device, or keys in that of several; their kernels are in kernels/sorters. No
 * build uses them.
 */
@NullMarked
package io.kmodel.indexer.sort.device;

import org.jspecify.annotations.NullMarked;
