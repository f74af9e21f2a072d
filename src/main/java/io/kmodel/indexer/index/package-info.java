/**
 * The index format: its files, and how they are written, opened and verified.
 *
 * <p>An index is a directory with {@code postings.docs}, {@code postings.positions}, {@code
 * terms.dictionary}, {@code terms.index}, {@code lengths.<field>}, {@code documents.data}, {@code
 * documents.index}, and {@code index.json}, which is written last. The class that writes a file
 * documents its grammar. The bytes depend only on the content, not on how it was split into runs,
 * parts or threads.
 */
@NullMarked
package io.kmodel.indexer.index;

import org.jspecify.annotations.NullMarked;
