package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.junit.jupiter.api.Test;

class IdSpoolTest {
  private static final List<String> IDS =
      List.of("", "a", "x".repeat(127), "y".repeat(128), "é漢😀", "z".repeat(70_000), "b", "");

  @Test
  void idsOfAllLengthsComeBackAsOftenAsTheyAreAskedFor() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IdSpool spool = new IdSpool(directory, "_0", IOContext.DEFAULT)) {
      for (String id : IDS) {
        spool.add(id);
      }
      spool.seal();
      for (int round = 0; round < 2; round++) {
        BinaryDocValues values = spool.values();
        for (int docId = 0; docId < IDS.size(); docId++) {
          assertThat(values.nextDoc()).isEqualTo(docId);
          assertThat(values.binaryValue().utf8ToString()).isEqualTo(IDS.get(docId));
        }
        assertThat(values.nextDoc()).isEqualTo(BinaryDocValues.NO_MORE_DOCS);
      }
    }
  }
}
