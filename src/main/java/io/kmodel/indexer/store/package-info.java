/** Are these bytes whole? Files with a header, checksums and a footer, and a journal. */
@NullMarked
package io.kmodel.indexer.store;

import org.jspecify.annotations.NullMarked;
