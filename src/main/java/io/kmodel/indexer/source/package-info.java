/** What are the documents of this collection, in order, and where did each come from? */
@NullMarked
package io.kmodel.indexer.source;

import org.jspecify.annotations.NullMarked;
