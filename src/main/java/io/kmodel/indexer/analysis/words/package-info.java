/** How are words found and stemmed in UTF-8 bytes, exactly as Lucene does? */
@NullMarked
package io.kmodel.indexer.analysis.words;

import org.jspecify.annotations.NullMarked;
