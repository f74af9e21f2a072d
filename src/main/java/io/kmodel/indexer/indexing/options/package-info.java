/** What was a build asked to do, with which memory and threads? */
@NullMarked
package io.kmodel.indexer.indexing.options;

import org.jspecify.annotations.NullMarked;
