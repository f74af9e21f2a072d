/** What does an index consist of: fields, metadata, and the stream of postings? */
@NullMarked
package io.kmodel.indexer.index.model;

import org.jspecify.annotations.NullMarked;
