package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;

/**
 * The result of a query.
 *
 * @param hits best first; equal scores in the order of the searcher's {@link Ties}
 * @param found number of matching documents, a lower bound unless {@code foundExactly}
 * @param foundExactly whether {@code found} is exact
 * @param notes explanations for users of what hits lack; may be empty
 * @param unknownFields fields in the query that the index does not have or does not search
 * @param expansion the words of the expanded query with their weights, the heaviest first; empty if
 *     it was not expanded
 */
public record SearchResult(
    ImmutableList<Hit> hits,
    long found,
    boolean foundExactly,
    ImmutableList<String> notes,
    ImmutableSet<String> unknownFields,
    ImmutableMap<String, Float> expansion) {}
