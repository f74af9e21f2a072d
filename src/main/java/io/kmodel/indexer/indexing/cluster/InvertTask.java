package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.source.crawl.CrawlPart;
import org.jspecify.annotations.Nullable;

/**
 * Makes an index of a part of the crawl.
 *
 * @param number of the split, 0-based in the order of the crawl
 * @param workspace where each attempt makes a new directory, see {@link Workspace#of}
 * @param leftOut file of the workspace with the ids of documents to leave out, see {@link
 *     WithoutIds}; null for none
 */
record InvertTask(
    int number, CrawlPart part, TaskOptions options, String workspace, @Nullable String leftOut) {}
