/** Which documents does a file of lines or tab-separated values hold? */
@NullMarked
package io.kmodel.indexer.source.lines;

import org.jspecify.annotations.NullMarked;
