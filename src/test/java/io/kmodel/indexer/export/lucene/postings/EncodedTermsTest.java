package io.kmodel.indexer.export.lucene.postings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.ImmutableIntArray;
import io.kmodel.indexer.export.lucene.ComputedLengths;
import io.kmodel.indexer.export.lucene.LuceneSegment;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Posting;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Term;
import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/** What a range of terms takes of the heap until it is written, and what comes out of it. */
class EncodedTermsTest {
  private static final Schema SCHEMA =
      Schema.of(List.of(new Field("a", Detail.DOCUMENTS, false, false)));

  private static final SegmentNorms NORMS =
      new SegmentNorms(SCHEMA, new ComputedLengths(docId -> 1));

  private static final int TERMS = 2000;
  private static final int PREFIX = 30_000;

  /** As they come out of a dictionary that is small: nothing there tells how long they are. */
  @Test
  void longTermsThatShareMostOfThemTakeLittleMemory() throws IOException {
    EncodedTerms terms = encode(keys("p".repeat(PREFIX)));
    assertThat(terms.memoryBytes()).isBetween(10L * TERMS, 40L * TERMS + 2L * PREFIX);
  }

  @Test
  void termsComeOutAsTheyWentIn() throws IOException {
    for (String prefix : List.of("", "p", "p".repeat(PREFIX))) {
      List<String> keys = keys(prefix);
      EncodedTerms terms = encode(keys);
      List<String> actual = new ArrayList<>();
      PostingsOutputs outputs = new PostingsOutputs(new ByteBuffersDirectory());
      try (TermWriter writer = new TermWriter(outputs, state(), NORMS)) {
        assertThat(writer).isNotNull();
        while (terms.nextTerm()) {
          if (actual.isEmpty()) {
            terms.appendTo(outputs);
          }
          assertThat(terms.nextState().singletonDocID).isEqualTo(actual.size());
          actual.add(
              new String(terms.key(), 1, terms.keyLength() - 1, StandardCharsets.ISO_8859_1));
        }
      }
      assertThat(actual).isEqualTo(keys);
    }
  }

  private static List<String> keys(String prefix) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < TERMS; i++) {
      keys.add("%s%06d".formatted(prefix, i));
    }
    return keys;
  }

  @Test
  void aThreadThatIsInterruptedEncodesNoFurtherTerm() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> encode(List.of("a", "b")))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Each in a document of its own. */
  private static EncodedTerms encode(List<String> keys) throws IOException {
    ImmutableIntArray none = ImmutableIntArray.of(0);
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      terms.add(new Term(0, keys.get(i), List.of(new Posting(i, none, none, none))));
    }
    try (PostingsStream stream = new PostingsStream(new BlocksCursor(terms, new Random(1)))) {
      return EncodedTerms.of(stream, state(), NORMS);
    }
  }

  private static SegmentWriteState state() {
    return LuceneSegment.state(new ByteBuffersDirectory(), SCHEMA, TERMS);
  }
}
