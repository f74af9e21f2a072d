/** How are the segments of a Lucene index written and committed? */
@NullMarked
package io.kmodel.indexer.export.lucene.segment;

import org.jspecify.annotations.NullMarked;
