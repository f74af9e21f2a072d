/**
 * How do search servers get the stored documents? As lines of JSON for the bulk API of OpenSearch
 * and Elasticsearch: a line with the id, then a line with the other stored fields.
 */
@NullMarked
package io.kmodel.indexer.export.ndjson;

import org.jspecify.annotations.NullMarked;
