/** Which documents do JSON lines and JSON objects hold? */
@NullMarked
package io.kmodel.indexer.source.json;

import org.jspecify.annotations.NullMarked;
