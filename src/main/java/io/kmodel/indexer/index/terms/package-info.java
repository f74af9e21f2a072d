/** How is the term dictionary written and searched? */
@NullMarked
package io.kmodel.indexer.index.terms;

import org.jspecify.annotations.NullMarked;
