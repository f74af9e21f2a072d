/** Which tokens has this text? */
@NullMarked
package io.kmodel.indexer.analysis;

import org.jspecify.annotations.NullMarked;
