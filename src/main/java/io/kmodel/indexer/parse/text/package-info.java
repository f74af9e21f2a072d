/** How are bytes of any charset decoded to valid UTF-8? */
@NullMarked
package io.kmodel.indexer.parse.text;

import org.jspecify.annotations.NullMarked;
