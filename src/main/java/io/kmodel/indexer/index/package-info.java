/** What are the postings files, how are they written, opened, verified? */
@NullMarked
package io.kmodel.indexer.index;

import org.jspecify.annotations.NullMarked;
