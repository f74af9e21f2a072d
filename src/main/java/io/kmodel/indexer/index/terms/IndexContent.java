package io.kmodel.indexer.index.terms;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.InputFile;

/**
 * The mapped files that terms and postings are read from. Thread-safe.
 *
 * @param documentCount document numbers are below this
 */
public record IndexContent(
    Schema schema,
    int documentCount,
    InputFile dictionary,
    TermIndex termIndex,
    InputFile docs,
    InputFile positions) {}
