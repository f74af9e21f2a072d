/** Which documents does a WARC, ARC or WET file hold? */
@NullMarked
package io.kmodel.indexer.source.warc;

import org.jspecify.annotations.NullMarked;
