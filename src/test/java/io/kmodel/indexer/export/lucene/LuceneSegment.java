package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.Map;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.InfoStream;
import org.apache.lucene.util.Version;

/** A segment in the making whose name and id are always the same, so that files can be compared. */
public final class LuceneSegment {
  private LuceneSegment() {}

  public static SegmentInfo info(Directory directory, int documents) {
    return new SegmentInfo(
        directory,
        Version.LATEST,
        Version.LATEST,
        "_0",
        documents,
        /* isCompoundFile= */ false,
        /* hasBlocks= */ false,
        Codec.getDefault(),
        Map.of(),
        new byte[16],
        Map.of(),
        /* indexSort= */ null);
  }

  public static SegmentWriteState state(Directory directory, Schema schema, int documents) {
    return new SegmentWriteState(
        InfoStream.NO_OUTPUT,
        directory,
        info(directory, documents),
        new LuceneFields(schema).infos(),
        /* segUpdates= */ null,
        IOContext.DEFAULT);
  }

  public static void assertSameFiles(Directory actual, Directory expected) throws IOException {
    assertThat(actual.listAll()).containsExactly(expected.listAll());
    for (String file : expected.listAll()) {
      assertThat(content(actual, file)).as(file).isEqualTo(content(expected, file));
    }
  }

  static byte[] content(Directory directory, String file) throws IOException {
    try (IndexInput in = directory.openInput(file, IOContext.READONCE)) {
      byte[] content = new byte[Math.toIntExact(in.length())];
      in.readBytes(content, 0, content.length);
      return content;
    }
  }
}
