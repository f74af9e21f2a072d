/** What did a build do, and how long did it take? */
@NullMarked
package io.kmodel.indexer.indexing.report;

import org.jspecify.annotations.NullMarked;
