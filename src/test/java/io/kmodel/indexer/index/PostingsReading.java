package io.kmodel.indexer.index;

import static io.kmodel.indexer.index.IndexModel.SCHEMA;
import static io.kmodel.indexer.index.IndexModel.WHERE;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.postings.PostingList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads whole lists of postings, whose offsets must be those of the model. */
final class PostingsReading {
  private PostingsReading() {}

  static List<Posting> readAll(PostingList list, int field) throws IOException {
    List<Posting> postings = new ArrayList<>();
    assertThat(list.docId()).isEqualTo(-1);
    for (int doc = list.nextDoc(); doc != PostingList.END; doc = list.nextDoc()) {
      int freq = list.freq();
      int[] positions = new int[SCHEMA.field(field).detail().hasPositions() ? freq : 0];
      for (int i = 0; i < positions.length; i++) {
        positions[i] = list.nextPosition();
        checkOffsets(list, positions[i], field == WHERE);
      }
      postings.add(new Posting(doc, freq, positions));
    }
    assertThat(list.docId()).isEqualTo(PostingList.END);
    return postings;
  }

  static List<Posting> readAll(PostingsCursor cursor, int field) throws IOException {
    List<Posting> postings = new ArrayList<>();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.COLUMNS];
    for (int n = cursor.nextDocs(docs, freqs); n > 0; n = cursor.nextDocs(docs, freqs)) {
      int available = 0;
      int used = 0;
      for (int i = 0; i < n; i++) {
        int[] positions = new int[SCHEMA.field(field).detail().hasPositions() ? freqs[i] : 0];
        int position = 0;
        int start = 0;
        for (int p = 0; p < positions.length; p++) {
          if (used == available) {
            available = cursor.nextPositions(deltas);
            used = 0;
            assertThat(available).isPositive();
          }
          position += deltas[used];
          positions[p] = position;
          if (field == WHERE) {
            start += deltas[PostingsCursor.STARTS + used];
            assertThat(start).isEqualTo(IndexModel.start(position));
            assertThat(start + deltas[PostingsCursor.LENGTHS + used])
                .isEqualTo(IndexModel.end(position));
          }
          used++;
        }
        postings.add(new Posting(docs[i], freqs[i], positions));
      }
      assertThat(used).isEqualTo(available);
      assertThat(cursor.nextPositions(deltas)).isZero();
    }
    return postings;
  }

  static void checkOffsets(PostingList list, int position, boolean offsets) {
    assertThat(list.startOffset()).isEqualTo(offsets ? IndexModel.start(position) : -1);
    assertThat(list.endOffset()).isEqualTo(offsets ? IndexModel.end(position) : -1);
  }
}
