/** Which documents does a file of a TREC collection hold? */
@NullMarked
package io.kmodel.indexer.source.trec;

import org.jspecify.annotations.NullMarked;
