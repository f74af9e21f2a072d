/** In which order does it all happen? */
@NullMarked
package io.kmodel.indexer.build;

import org.jspecify.annotations.NullMarked;
