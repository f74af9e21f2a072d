package io.kmodel.indexer.browse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The doc values of one document, by field, as text. */
final class Columns {
  private Columns() {}

  static Map<String, String> of(IndexReader reader, int docId) throws IOException {
    List<LeafReaderContext> leaves = reader.leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(docId, leaves));
    Map<String, String> columns = new TreeMap<>();
    for (FieldInfo info : leaf.reader().getFieldInfos()) {
      String value = value(leaf.reader(), info, docId - leaf.docBase);
      if (value != null) {
        columns.put(info.name, value);
      }
    }
    return columns;
  }

  private static @Nullable String value(LeafReader reader, FieldInfo info, int docId)
      throws IOException {
    return switch (info.getDocValuesType()) {
      case NONE -> null;
      case NUMERIC -> {
        NumericDocValues values = reader.getNumericDocValues(info.name);
        yield values != null && values.advanceExact(docId)
            ? Long.toString(values.longValue())
            : null;
      }
      case BINARY -> {
        BinaryDocValues values = reader.getBinaryDocValues(info.name);
        yield values != null && values.advanceExact(docId) ? text(values.binaryValue()) : null;
      }
      case SORTED -> {
        SortedDocValues values = reader.getSortedDocValues(info.name);
        yield values != null && values.advanceExact(docId)
            ? text(values.lookupOrd(values.ordValue()))
            : null;
      }
      case SORTED_NUMERIC -> numbers(reader.getSortedNumericDocValues(info.name), docId);
      case SORTED_SET -> texts(reader.getSortedSetDocValues(info.name), docId);
    };
  }

  private static @Nullable String numbers(@Nullable SortedNumericDocValues values, int docId)
      throws IOException {
    if (values == null || !values.advanceExact(docId)) {
      return null;
    }
    List<String> all = new ArrayList<>();
    for (int i = 0; i < values.docValueCount(); i++) {
      all.add(Long.toString(values.nextValue()));
    }
    return String.join(", ", all);
  }

  private static @Nullable String texts(@Nullable SortedSetDocValues values, int docId)
      throws IOException {
    if (values == null || !values.advanceExact(docId)) {
      return null;
    }
    List<String> all = new ArrayList<>();
    for (int i = 0; i < values.docValueCount(); i++) {
      all.add(text(values.lookupOrd(values.nextOrd())));
    }
    return String.join(", ", all);
  }

  private static String text(BytesRef value) {
    return new String(value.bytes, value.offset, value.length, StandardCharsets.UTF_8);
  }
}
