/** Is an index complete and consistent, and what are its statistics? */
@NullMarked
package io.kmodel.indexer.index.verify;

import org.jspecify.annotations.NullMarked;
