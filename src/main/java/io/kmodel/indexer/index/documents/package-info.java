/** How are stored documents and lengths written and read? */
@NullMarked
package io.kmodel.indexer.index.documents;

import org.jspecify.annotations.NullMarked;
