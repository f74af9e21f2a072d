package io.kmodel.indexer.index.verify;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.IndexMetadata;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sizes of an index, as shown in JSON and in text.
 *
 * @param bitsPerPosting bits per posting in documents, frequencies and skip tables; 0 without
 *     postings
 * @param bitsPerPosition bits per position; 0 without positions
 * @param dictionaryBytesPerTerm bytes per term in the term dictionary and its index; 0 without
 *     terms
 */
public record IndexNumbers(
    IndexMetadata index,
    long bytes,
    double bitsPerPosting,
    double bitsPerPosition,
    double dictionaryBytesPerTerm,
    ImmutableList<CorpusStatistics> corpus) {

  public static IndexNumbers of(IndexMetadata index, ImmutableList<CorpusStatistics> corpus) {
    long terms = 0;
    long postings = 0;
    long positions = 0;
    for (int field = 0; field < index.schema().size(); field++) {
      terms += index.statistics().get(field).terms();
      postings += index.statistics().get(field).postings();
      positions +=
          index.schema().field(field).detail().hasPositions()
              ? index.statistics().get(field).tokens()
              : 0;
    }
    return new IndexNumbers(
        index,
        bytes(index, ""),
        ratio(8 * bytes(index, "postings.docs"), postings),
        positions == 0 ? 0 : ratio(8 * bytes(index, "postings.positions"), positions),
        ratio(bytes(index, "terms."), terms),
        corpus);
  }

  /** Returns the JSON members. The metadata's members are at the top level, for compatibility. */
  public Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("formatVersion", index.formatVersion());
    members.put("documentCount", index.documentCount());
    members.put("schema", index.schema());
    members.put("statistics", index.statistics());
    members.put("columns", ColumnNumbers.of(index));
    members.put("options", index.options());
    members.put("files", index.files());
    members.put("bytes", bytes);
    members.put("bitsPerPosting", bitsPerPosting);
    members.put("bitsPerPosition", bitsPerPosition);
    members.put("dictionaryBytesPerTerm", dictionaryBytesPerTerm);
    members.put("corpus", corpus);
    return members;
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  private static long bytes(IndexMetadata index, String prefix) {
    return index.files().entrySet().stream()
        .filter(file -> file.getKey().startsWith(prefix))
        .mapToLong(file -> file.getValue().bytes())
        .sum();
  }
}
