package io.kmodel.indexer.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.postings.PostingList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list that is asked for any document, first of all or after any block. */
class AdvanceTest {
  private static final int DOCUMENTS = 2600;

  /** With and without documents behind the last full block of 256, up to nine of these. */
  private static final int[] LENGTHS = {1, 255, 256, 257, 512, 1300, 2304};

  @TempDir Path directory;

  @Test
  void everyDocumentIsFoundFromAnyBlockWithItsPositions() throws IOException {
    IndexModel model = new IndexModel(DOCUMENTS);
    List<List<Posting>> lists = new ArrayList<>();
    for (int i = 0; i < LENGTHS.length; i++) {
      lists.add(postings(LENGTHS[i]));
      model.add(IndexModel.CONTENTS, term(i), lists.get(i));
    }
    model.write(directory);
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      for (int i = 0; i < LENGTHS.length; i++) {
        for (int from = -1; from < LENGTHS[i]; from += 256) {
          check(index, term(i), lists.get(i), from);
        }
      }
    }
  }

  /** From the posting of a number on, or from before the first, to all that follow. */
  private static void check(InvertedIndex index, byte[] term, List<Posting> postings, int from)
      throws IOException {
    TermCursor terms = index.terms(IndexModel.CONTENTS);
    assertThat(terms.seek(term, 0, term.length)).isEqualTo(TermCursor.Seek.FOUND);
    int start = from < 0 ? -1 : postings.get(from).doc();
    int next = from + 1;
    PostingList list = null;
    for (int target = start + 1; target < DOCUMENTS; target += from < 0 ? 1 : 11) {
      list = terms.postings(list, Detail.POSITIONS);
      if (start >= 0) {
        assertThat(list.advance(start)).isEqualTo(start);
      }
      while (next < postings.size() && postings.get(next).doc() < target) {
        next++;
      }
      if (next == postings.size()) {
        require(list.advance(target) == PostingList.END, target, start);
        require(list.nextDoc() == PostingList.END, target, start);
        require(list.advance(DOCUMENTS) == PostingList.END, target, start);
        require(list.nextDoc() == PostingList.END, target, start);
        continue;
      }
      Posting expected = postings.get(next);
      require(list.advance(target) == expected.doc(), target, start);
      require(list.freq() == expected.freq(), target, start);
      for (int position : expected.positions().asList()) {
        require(list.nextPosition() == position, target, start);
      }
    }
  }

  private static void require(boolean holds, int target, int start) {
    if (!holds) {
      throw new AssertionError("wrong answer for %d, asked from %d".formatted(target, start));
    }
  }

  /** In so many documents, up to nearly the last one, with gaps of several lengths. */
  private static List<Posting> postings(int count) {
    List<Posting> postings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int[] positions = new int[1 + i % 3];
      int first = i;
      Arrays.setAll(positions, j -> first + 5 * j);
      int doc = (int) ((long) i * (DOCUMENTS - 10) / count);
      postings.add(new Posting(doc, positions.length, positions));
    }
    return postings;
  }

  private static byte[] term(int i) {
    return "term-%02d".formatted(i).getBytes(UTF_8);
  }
}
