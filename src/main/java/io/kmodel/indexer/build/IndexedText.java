package io.kmodel.indexer.build;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.parse.IndexAnalysis;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an index records of documents' texts.
 *
 * @param analysis how texts become terms
 * @param positions whether postings record positions
 * @param store which texts can be read back
 */
public record IndexedText(IndexAnalysis analysis, boolean positions, Store store) {

  /** The fields that this gives an index. */
  Schema schema() {
    Detail text = positions ? Detail.POSITIONS : Detail.FREQUENCIES;
    boolean contents = store == Store.CONTENTS;
    return Schema.of(
        List.of(
            new Field(Schema.ID, Detail.DOCUMENTS, false, store != Store.NONE),
            new Field(Schema.TITLE, text, true, contents),
            new Field(Schema.CONTENTS, text, true, contents)));
  }

  /** Puts it among an index's options. */
  void addTo(Map<String, String> options) {
    analysis.addTo(options);
    options.put("positions", String.valueOf(positions));
    options.put("store", store.name().toLowerCase(Locale.ROOT));
  }
}
