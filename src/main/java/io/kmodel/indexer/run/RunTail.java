package io.kmodel.indexer.run;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a run file, from {@code start} on, which is read when the file is opened:
 * totals, fields, starts of sections, long lists and the sparse index (see {@link RunWriter} for
 * the format). Memory: for long lists and the sparse index, about a thousandth of the file.
 */
record RunTail(long start, Totals totals, ImmutableList<FieldPart> fields, Lists lists) {
  /** In order of their codes in the file. */
  private static final ImmutableList<Detail> DETAILS =
      ImmutableList.of(Detail.DOCUMENTS, Detail.FREQUENCIES, Detail.POSITIONS, Detail.NONE);

  private static final int TOKENIZED = 4;

  /** Set in addition to the code of {@link Detail#POSITIONS}. */
  private static final int OFFSETS = 8;

  private static final int START_BYTES = 8;

  /** Sums over the run. */
  record Totals(int documents, long tokens, long terms) {}

  /** How a field's postings are written, and where its lengths start (0: it has none). */
  record FieldPart(Detail detail, long lengthsStart) {
    boolean tokenized() {
      return lengthsStart != 0;
    }
  }

  /** Statistics of a list that are not in its head. */
  record LongList(int docFreq, long totalTermFreq) {}

  /** The lists and their index; {@code end} is the file offset after the last list. */
  record Lists(long end, ImmutableList<LongList> longLists, ImmutableList<TermSample> samples) {}

  /** Where the lengths of a tokenized field end. */
  long lengthsEnd(int field) {
    for (int i = field + 1; i < fields.size(); i++) {
      if (fields.get(i).tokenized()) {
        return fields.get(i).lengthsStart;
      }
    }
    return start;
  }

  static ImmutableList<FieldPart> fields(Schema schema, long[] lengthsStarts) {
    ImmutableList.Builder<FieldPart> fields = ImmutableList.builder();
    for (int i = 0; i < schema.size(); i++) {
      Field field = schema.field(i);
      fields.add(new FieldPart(field.detail(), field.tokenized() ? lengthsStarts[i] : 0));
    }
    return fields.build();
  }

  void write(OutputFile out) throws IOException {
    out.writeVInt(totals.documents);
    out.writeVLong(totals.tokens);
    out.writeVLong(totals.terms);
    out.writeVLong(lists.end);
    out.writeByte(fields.size());
    for (FieldPart field : fields) {
      out.writeByte(code(field.detail) | (field.tokenized() ? TOKENIZED : 0));
      if (field.tokenized()) {
        out.writeVLong(field.lengthsStart);
      }
    }
    out.writeVInt(lists.longLists.size());
    for (LongList list : lists.longLists) {
      out.writeVInt(list.docFreq);
      out.writeVLong(list.totalTermFreq);
    }
    out.writeVInt(lists.samples.size());
    for (TermSample sample : lists.samples) {
      out.writeVInt(sample.key().length);
      out.writeBytes(sample.key(), 0, sample.key().length);
      out.writeVLong(sample.bytesBefore());
      out.writeVInt(sample.longLists());
    }
    out.writeLong(start);
  }

  static RunTail read(InputFile file) throws IOException {
    if (file.bodyEnd() - file.bodyStart() < START_BYTES) {
      throw file.corrupt("body ends before the tail");
    }
    long tailEnd = file.bodyEnd() - START_BYTES;
    long start = file.reader(tailEnd, file.bodyEnd(), START_BYTES).readLong();
    if (start < file.bodyStart() || start > tailEnd) {
      throw file.corrupt(
          "tail at %d, expected within %d..%d".formatted(start, file.bodyStart(), tailEnd));
    }
    ByteReader in = file.reader(start, tailEnd, 1 << 14);
    Totals totals = new Totals(in.readVInt(), in.readVLong(), in.readVLong());
    long listsEnd = in.readVLong();
    check(in, totals.documents >= 0 && totals.tokens >= 0 && totals.terms >= 0, "totals");
    check(in, listsEnd >= file.bodyStart() && listsEnd <= start, "end of lists");
    ImmutableList<FieldPart> fields = readFields(in, listsEnd, start);
    ImmutableList<LongList> longLists = readLongLists(in, totals);
    ImmutableList<TermSample> samples =
        readSamples(in, file.bodyStart(), listsEnd, longLists.size());
    check(in, in.remaining() == 0, "length of the tail");
    return new RunTail(start, totals, fields, new Lists(listsEnd, longLists, samples));
  }

  private static ImmutableList<FieldPart> readFields(ByteReader in, long from, long to)
      throws IOException {
    int count = in.readByte() & 0xFF;
    check(in, count > 0, "number of fields");
    List<FieldPart> fields = new ArrayList<>(count);
    long last = from;
    for (int i = 0; i < count; i++) {
      int kind = in.readByte();
      Detail detail = kind < 0 ? null : detail(kind & ~TOKENIZED);
      if (detail == null) {
        throw impossible(in, "kind of field");
      }
      long lengths = 0;
      if ((kind & TOKENIZED) != 0) {
        lengths = in.readVLong();
        check(in, lengths >= last && lengths <= to, "start of lengths");
        last = lengths;
      }
      fields.add(new FieldPart(detail, lengths));
    }
    return ImmutableList.copyOf(fields);
  }

  private static int code(Detail detail) {
    return switch (detail) {
      case OFFSETS -> DETAILS.indexOf(Detail.POSITIONS) | OFFSETS;
      // Weights are written as frequencies.
      case IMPACTS -> DETAILS.indexOf(Detail.FREQUENCIES);
      default -> DETAILS.indexOf(detail);
    };
  }

  /** Null if the code is not defined. */
  private static @Nullable Detail detail(int code) {
    if (code == code(Detail.OFFSETS)) {
      return Detail.OFFSETS;
    }
    return code < DETAILS.size() ? DETAILS.get(code) : null;
  }

  private static ImmutableList<LongList> readLongLists(ByteReader in, Totals totals)
      throws IOException {
    int count = in.readVInt();
    check(in, count >= 0 && count <= in.remaining(), "number of long lists");
    List<LongList> lists = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LongList list = new LongList(in.readVInt(), in.readVLong());
      check(in, list.docFreq > 0 && list.docFreq <= totals.documents, "docFreq of a long list");
      check(in, list.totalTermFreq >= list.docFreq, "totalTermFreq of a long list");
      lists.add(list);
    }
    return ImmutableList.copyOf(lists);
  }

  private static ImmutableList<TermSample> readSamples(
      ByteReader in, long listsStart, long listsEnd, int maxLongLists) throws IOException {
    int count = in.readVInt();
    check(in, count >= 0 && count <= in.remaining(), "number of samples");
    check(in, (count == 0) == (listsStart == listsEnd), "number of samples");
    List<TermSample> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = in.readVInt();
      check(in, length >= 0 && length <= in.remaining(), "length of a sample's key");
      byte[] key = new byte[length];
      in.readBytes(key, 0, length);
      long before = in.readVLong();
      int longLists = in.readVInt();
      boolean ascends = before == 0 && longLists == 0 && length == 0;
      if (i > 0) {
        TermSample last = samples.get(i - 1);
        ascends =
            before > last.bytesBefore()
                && longLists >= last.longLists()
                && Arrays.compareUnsigned(key, last.key()) > 0;
      }
      check(in, ascends && before < listsEnd - listsStart, "order of samples");
      check(in, longLists <= maxLongLists, "long lists before a sample");
      samples.add(new TermSample(key, listsStart + before, longLists, before));
    }
    return ImmutableList.copyOf(samples);
  }

  private static void check(ByteReader in, boolean holds, String what) throws IOException {
    if (!holds) {
      throw impossible(in, what);
    }
  }

  private static CorruptIndexException impossible(ByteReader in, String what) {
    return in.corrupt("impossible %s before offset %d".formatted(what, in.position()));
  }
}
