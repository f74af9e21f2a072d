/** Which files does a crawl consist of, in the order of their paths? */
@NullMarked
package io.kmodel.indexer.source.list;

import org.jspecify.annotations.NullMarked;
