package io.kmodel.indexer.export.lucene.version;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a shard of OpenSearch keeps of each document beside its terms. Not thread-safe. */
public interface ShardDocuments {
  /** The id as OpenSearch encodes it. */
  byte[] id(int docId) throws IOException;

  /** The document in JSON; null if the shard keeps no documents. */
  byte @Nullable [] source(int docId) throws IOException;
}
