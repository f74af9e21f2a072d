/** Which parts of a document does each field hold? */
@NullMarked
package io.kmodel.indexer.parse.field;

import org.jspecify.annotations.NullMarked;
