/**
 * Files with integrity checks: a header and a checksum footer, written under a temporary name and
 * renamed when complete; sequential and mapped input.
 */
@NullMarked
package io.kmodel.indexer.store;

import org.jspecify.annotations.NullMarked;
