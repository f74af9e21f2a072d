/** Which text has this document, per field? */
@NullMarked
package io.kmodel.indexer.parse;

import org.jspecify.annotations.NullMarked;
