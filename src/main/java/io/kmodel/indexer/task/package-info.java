/** How do tasks in other threads run, stop and fail? */
@NullMarked
package io.kmodel.indexer.task;

import org.jspecify.annotations.NullMarked;
