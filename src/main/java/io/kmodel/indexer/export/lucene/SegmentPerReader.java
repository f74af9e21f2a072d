package io.kmodel.indexer.export.lucene;

import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.NoMergePolicy;

/** Makes one segment of each added reader, in their order, and never merges. */
final class SegmentPerReader extends FilterMergePolicy {
  SegmentPerReader() {
    super(NoMergePolicy.INSTANCE);
  }

  @Override
  public MergeSpecification findMerges(CodecReader... readers) {
    MergeSpecification specification = new MergeSpecification();
    for (CodecReader reader : readers) {
      specification.add(new OneMerge(reader));
    }
    return specification;
  }
}
