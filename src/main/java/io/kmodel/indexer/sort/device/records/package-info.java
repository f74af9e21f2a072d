/**
 * The sorters of records with several fields on devices (Bandyopadhyay and Sahni, Sorting large
 * multifield records on a GPU); their kernels are in kernels/sorters. No build uses them.
 */
@NullMarked
package io.kmodel.indexer.sort.device.records;

import org.jspecify.annotations.NullMarked;
