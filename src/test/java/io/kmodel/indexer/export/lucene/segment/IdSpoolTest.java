package io.kmodel.indexer.export.lucene.segment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.Test;

class IdSpoolTest {
  private static final List<String> IDS =
      List.of("", "a", "x".repeat(127), "y".repeat(128), "é漢😀", "z".repeat(70_000), "b", "");

  @Test
  void idsOfAllLengthsComeBackAsOftenAsTheyAreAskedFor() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IdSpool spool = new IdSpool(directory, "_0", IOContext.DEFAULT)) {
      for (String id : IDS) {
        add(spool, id);
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

  @Test
  void itsFileIsClosedAsOftenAsItWasOpenedAndIsGoneAtTheEnd() throws Exception {
    List<String> closed = new ArrayList<>();
    try (Directory directory =
        new FilterDirectory(new ByteBuffersDirectory()) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            return new FilterIndexInput(name, super.openInput(name, context)) {
              @Override
              public void close() throws IOException {
                closed.add(name);
                super.close();
              }
            };
          }
        }) {
      try (IdSpool spool = new IdSpool(directory, "_0", IOContext.DEFAULT)) {
        add(spool, "a");
        spool.seal();
        spool.values();
        spool.values();
        assertThat(directory.listAll()).hasSize(1);
      }
      assertThat(closed).hasSize(2);
      assertThat(directory.listAll()).isEmpty();
    }
  }

  @Test
  void itMayBeSealedAgainAndClosedWithoutThat() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IdSpool spool = new IdSpool(directory, "_0", IOContext.DEFAULT)) {
        add(spool, "a");
        spool.seal();
        spool.seal();
        BinaryDocValues values = spool.values();
        assertThat(values.advanceExact(0)).isTrue();
        assertThat(values.binaryValue().utf8ToString()).isEqualTo("a");
        assertThat(values.cost()).isOne();
      }
      try (IdSpool spool = new IdSpool(directory, "_0", IOContext.DEFAULT)) {
        add(spool, "b");
      }
      assertThat(directory.listAll()).isEmpty();
    }
  }

  @Test
  void valuesMayBePassedOver() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IdSpool spool = new IdSpool(directory, "_0", IOContext.DEFAULT)) {
      for (String id : IDS) {
        add(spool, id);
      }
      spool.seal();
      BinaryDocValues values = spool.values();
      assertThat(values.docID()).isEqualTo(-1);
      assertThat(values.advance(4)).isEqualTo(4);
      assertThat(values.binaryValue().utf8ToString()).isEqualTo(IDS.get(4));
      assertThat(values.docID()).isEqualTo(4);
      assertThat(values.advance(IDS.size())).isEqualTo(BinaryDocValues.NO_MORE_DOCS);
    }
  }

  private static void add(IdSpool spool, String id) throws IOException {
    byte[] utf8 = id.getBytes(UTF_8);
    spool.add(utf8, 0, utf8.length);
  }
}
