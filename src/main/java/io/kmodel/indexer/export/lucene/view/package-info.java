/** How does Lucene read an index of this program? */
@NullMarked
package io.kmodel.indexer.export.lucene.view;

import org.jspecify.annotations.NullMarked;
