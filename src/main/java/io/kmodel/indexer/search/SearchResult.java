package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

/**
 * What a query has found.
 *
 * @param hits best first; equal scores in order of docId
 * @param found how many documents match, at least
 * @param foundExactly whether it is just as many
 * @param notes what is missing from the hits and why, for people; empty where nothing is
 * @param unknownFields those that the query names and the index does not have, or does not search
 */
public record SearchResult(
    ImmutableList<Hit> hits,
    long found,
    boolean foundExactly,
    ImmutableList<String> notes,
    ImmutableSet<String> unknownFields) {}
