/**
 * What are the postings files, how are they written, opened, verified?
 *
 * <p>An index is a directory: {@code postings.docs}, {@code postings.positions}, {@code
 * terms.dictionary}, {@code terms.index}, {@code lengths.<field>}, {@code documents.data}, {@code
 * documents.index}, and {@code index.json}, which is written last. Each grammar stands with the
 * class that writes it. The bytes are a function of the content: nothing in them tells how it was
 * cut into runs, parts or threads.
 */
@NullMarked
package io.kmodel.indexer.index;

import org.jspecify.annotations.NullMarked;
