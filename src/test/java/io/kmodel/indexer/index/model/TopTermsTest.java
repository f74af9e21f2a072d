package io.kmodel.indexer.index.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.TopTerms.Top;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopTermsTest {
  @Test
  void areThoseInMostDocumentsAndTheFirstOfEqualOnes() {
    Random random = new Random(1);
    TopTerms top = new TopTerms();
    List<Top> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Top term = new Top(i / 500, "t\u00e9rm%04d".formatted(i), random.nextInt(1, 300), i);
      byte[] text = ("\0" + term.term()).getBytes(StandardCharsets.UTF_8);
      text[0] = (byte) term.field();
      top.add(text, text.length, term.documents(), term.occurrences());
      all.add(term);
    }
    all.sort(Comparator.comparingInt(Top::documents).reversed().thenComparing(Top::term));
    assertThat(top.terms()).isEqualTo(all.subList(0, TopTerms.MOST));
  }
}
