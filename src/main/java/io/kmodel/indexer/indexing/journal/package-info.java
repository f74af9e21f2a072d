/** What survives a crash, and how does a build resume? */
@NullMarked
package io.kmodel.indexer.indexing.journal;

import org.jspecify.annotations.NullMarked;
