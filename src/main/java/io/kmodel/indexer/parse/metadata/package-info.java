/** Which metadata does a document have, and what does each value mean? */
@NullMarked
package io.kmodel.indexer.parse.metadata;

import org.jspecify.annotations.NullMarked;
