package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * The directory for one of Lucene's postings writers. It keeps references to the writer's outputs,
 * so that postings encoded elsewhere can be appended. An encoded list does not contain its own file
 * offset; only the term's state does. The metadata file holds maxima over all lists:
 *
 * <pre>
 * .psm := header maximum:int{4} docsEnd:long [positionsEnd:long [offsetsEnd:long]] footer
 * </pre>
 *
 * It stays in memory until they are known. Not thread-safe.
 */
final class PostingsOutputs extends FilterDirectory {
  /** Number of maxima: impacts of a block, their bytes, and the same for 32 blocks. */
  static final int MAXIMA = 4;

  private final ByteBuffersDirectory metadata = new ByteBuffersDirectory();
  private @Nullable String metadataName;
  private @Nullable IndexOutput docs;
  private @Nullable IndexOutput positions;
  private @Nullable IndexOutput offsets;

  PostingsOutputs(Directory in) {
    super(in);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (IndexFileNames.matchesExtension(name, Lucene104PostingsFormat.META_EXTENSION)) {
      metadataName = name;
      return metadata.createOutput(name, context);
    }
    IndexOutput output = super.createOutput(name, context);
    if (IndexFileNames.matchesExtension(name, Lucene104PostingsFormat.DOC_EXTENSION)) {
      docs = output;
    } else if (IndexFileNames.matchesExtension(name, Lucene104PostingsFormat.POS_EXTENSION)) {
      positions = output;
    } else if (IndexFileNames.matchesExtension(name, Lucene104PostingsFormat.PAY_EXTENSION)) {
      offsets = output;
    }
    return output;
  }

  /** The state for a writer of the same segment that writes to this directory. */
  SegmentWriteState of(SegmentWriteState state) {
    return new SegmentWriteState(
        state.infoStream,
        this,
        state.segmentInfo,
        state.fieldInfos,
        /* segUpdates= */ null,
        state.context,
        state.segmentSuffix);
  }

  IndexOutput docs() {
    return opened(docs);
  }

  /** Null if no field of the segment has positions. */
  @Nullable IndexOutput positions() {
    return positions;
  }

  /** Null if no field of the segment has offsets. */
  @Nullable IndexOutput offsets() {
    return offsets;
  }

  /** Writes the metadata of the closed writer with other maxima. */
  void writeMetadata(int[] maxima, IOContext context) throws IOException {
    String name = opened(metadataName);
    try (IndexInput in = metadata.openInput(name, IOContext.READONCE);
        IndexOutput out = super.createOutput(name, context)) {
      out.copyBytes(in, maximaStart(in));
      for (int maximum : maxima) {
        out.writeInt(maximum);
        in.readInt();
      }
      out.copyBytes(in, in.length() - CodecUtil.footerLength() - in.getFilePointer());
      CodecUtil.writeFooter(out);
    }
  }

  private long maximaStart(IndexInput in) {
    int ends = 1 + (positions == null ? 0 : 1) + (offsets == null ? 0 : 1);
    return in.length()
        - CodecUtil.footerLength()
        - (long) ends * Long.BYTES
        - MAXIMA * Integer.BYTES;
  }

  private static <T> T opened(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("no postings writer was opened");
    }
    return value;
  }
}
