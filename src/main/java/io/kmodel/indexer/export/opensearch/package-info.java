/**
 * How does an index become one that OpenSearch restores? As a snapshot in a repository of files.
 */
@NullMarked
package io.kmodel.indexer.export.opensearch;

import org.jspecify.annotations.NullMarked;
