/** How does an index look in a browser? A server, its page and its answers. */
@NullMarked
package io.kmodel.indexer.browse;

import org.jspecify.annotations.NullMarked;
