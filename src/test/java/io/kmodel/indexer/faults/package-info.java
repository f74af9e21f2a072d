/** Does the program survive a file system that fails? */
@NullMarked
package io.kmodel.indexer.faults;

import org.jspecify.annotations.NullMarked;
