/** Which options do commands share, and how are their values read? */
@NullMarked
package io.kmodel.indexer.cli.option;

import org.jspecify.annotations.NullMarked;
