package io.kmodel.indexer.equality;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;

/**
 * Compares what the segments of Lucene indexes say of their fields: all that Lucene tells of a
 * field, so also what a later version of Lucene tells besides.
 */
public final class FieldInfosEquality {
  private FieldInfosEquality() {}

  /**
   * Fails unless IndexWriter, having flushed a segment after as many documents each time, says the
   * same of the fields of each.
   */
  public static void assertAsByIndexWriter(
      Schema schema, Analyzer analyzer, List<ParsedDocument> documents, DirectoryReader actual)
      throws IOException {
    int[] sizes = actual.leaves().stream().mapToInt(segment -> segment.reader().maxDoc()).toArray();
    try (DirectoryReader expected = ReferenceIndex.inSegments(schema, analyzer, documents, sizes)) {
      assertSame(expected, actual);
    }
  }

  /** Fails unless the indexes have as many segments, which say the same. */
  public static void assertSame(DirectoryReader expected, DirectoryReader actual) {
    List<LeafReaderContext> left = expected.leaves();
    List<LeafReaderContext> right = actual.leaves();
    same("segments", left.size(), right.size());
    for (int i = 0; i < left.size(); i++) {
      LeafReader leftSegment = left.get(i).reader();
      LeafReader rightSegment = right.get(i).reader();
      String place = "segment %d: ".formatted(i);
      same(place + "documents", leftSegment.maxDoc(), rightSegment.maxDoc());
      same(
          place + "fields",
          described(leftSegment.getFieldInfos()),
          described(rightSegment.getFieldInfos()));
    }
  }

  private static Map<Integer, Map<String, String>> described(FieldInfos fields) {
    Map<Integer, Map<String, String>> all = new TreeMap<>();
    for (FieldInfo field : fields) {
      all.put(field.number, described(field));
    }
    return all;
  }

  /** All that Lucene tells of a field, by the names of the methods that tell it. */
  static Map<String, String> described(FieldInfo field) {
    Map<String, String> all = new TreeMap<>();
    for (Method method : FieldInfo.class.getMethods()) {
      boolean tells =
          method.getDeclaringClass() == FieldInfo.class
              && method.getParameterCount() == 0
              && method.getReturnType() != void.class
              && !Modifier.isStatic(method.getModifiers());
      if (tells) {
        all.put(method.getName(), told(field, method));
      }
    }
    return all;
  }

  private static String told(FieldInfo field, Method method) {
    try {
      Object value = method.invoke(field);
      return value instanceof Map<?, ?> map ? new TreeMap<>(map).toString() : String.valueOf(value);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new LinkageError(method + " cannot be called", e);
    }
  }

  private static void same(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("%s: expected %s but was %s".formatted(what, expected, actual));
    }
  }
}
