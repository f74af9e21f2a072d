package io.kmodel.indexer.inversion;

import static io.kmodel.indexer.inversion.PlainText.isDigit;
import static io.kmodel.indexer.inversion.PlainText.isLetter;

import io.kmodel.indexer.analysis.words.EnglishWords;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.run.MemoryRun;
import io.kmodel.indexer.run.Outcome;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.run.RunMemory;
import io.kmodel.indexer.sort.SortStages;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inversion by the CPU, in the calling thread: what a device is compared with, and what happens
 * to a block that a device does not take. It reads the plain form by the same rules as the kernels.
 *
 * <p>A large block is inverted piece by piece. Memory, until it is closed: 4 or 5 bytes per token,
 * or 16 if there is one piece, and the dictionaries; while it works, also some 16 bytes per token
 * of a piece; on the heap a copy of the longest part, and 4 bytes for each part.
 */
final class PlainInversion implements InvertedText {
  private static final int CONNECTOR = '_';

  /** Where a word begins in its array, with room for {@link EnglishWords}. */
  private static final int WORD = 8;

  /** Text of a piece, unless a document is larger. */
  private static final int PIECE_BYTES = 1 << 25;

  /** Memory of the run of a piece for a byte of text. */
  private static final long LEAST_PER_BYTE = 4;

  private static final long MOST_PER_BYTE = 256;

  /** Documents of a piece, and memory for the lengths of each in a field at first and at most. */
  private static final int PIECE_DOCUMENTS = 1 << 19;

  private static final long LEAST_PER_PART = 64;
  private static final long MOST_PER_PART = 1024;

  private final TextBlock block;
  private final Schema schema;
  private final InvertedFields fields;
  private final int[] lengths;

  /** The run of all documents, or those of the pieces; one of both is empty. */
  private @Nullable RunBuilder whole;

  private final List<Piece> pieces = new ArrayList<>();
  private long tokens;
  private byte[] part = new byte[1 << 12];
  private byte[] word = new byte[1 << 10];
  private final EnglishWords english = new EnglishWords();

  /** A piece's run, and its first document. */
  private record Piece(MemoryRun run, int first) {}

  private PlainInversion(TextBlock block, Schema schema, InvertedFields fields) {
    this.block = block;
    this.schema = schema;
    this.fields = fields;
    this.lengths = new int[block.partCount()];
  }

  /** Inverts a block. */
  static InvertedText invert(TextBlock block, Schema schema, InvertedFields fields) {
    return inPieces(block, schema, fields, PIECE_BYTES);
  }

  /** The same in pieces of other sizes. */
  static InvertedText inPieces(
      TextBlock block, Schema schema, InvertedFields fields, int pieceBytes) {
    PlainInversion inversion = new PlainInversion(block, schema, fields);
    try {
      int doc = 0;
      do {
        int end = inversion.endOfPiece(doc, pieceBytes);
        inversion.addPiece(doc, end);
        doc = end;
      } while (doc < block.documents());
      return inversion;
    } catch (RuntimeException | Error e) {
      inversion.close();
      throw e;
    }
  }

  private int partOf(int doc) {
    return block.fields() * doc;
  }

  private int endOfPiece(int from, int pieceBytes) {
    int end = Math.min(from + 1, block.documents());
    while (end < block.documents()
        && end - from < PIECE_DOCUMENTS
        && block.partStart(partOf(end + 1)) - block.partStart(partOf(from)) <= pieceBytes) {
      end++;
    }
    return end;
  }

  private void addPiece(int from, int to) {
    long text = (long) block.partStart(partOf(to)) - block.partStart(partOf(from));
    RunBuilder run = run(from, to, text);
    tokens += run.tokenCount();
    for (int doc = from; doc < to; doc++) {
      for (int field = 0; field < block.fields(); field++) {
        lengths[partOf(doc) + field] = run.length(fields.ordinal(field), doc - from);
      }
    }
    if (to - from == block.documents()) {
      whole = run;
      return;
    }
    try (run) {
      MemoryRun copy = run.copy(bytes -> true);
      if (copy == null) {
        throw new IllegalStateException("a run of a block of text has offsets");
      }
      pieces.add(new Piece(copy, from));
    }
  }

  /** The sorted run of some documents. */
  private RunBuilder run(int from, int to, long text) {
    // At first for words of usual length; a piece of shorter ones needs more.
    long parts = (long) partOf(to) - partOf(from);
    long bytes = RunMemory.MIN_BYTES + LEAST_PER_BYTE * text + LEAST_PER_PART * parts;
    long most = RunMemory.MIN_BYTES + MOST_PER_BYTE * text + MOST_PER_PART * parts;
    while (bytes <= most) {
      RunBuilder run = new RunBuilder(schema, bytes, block.layout());
      try {
        if (addAll(run, from, to)) {
          run.sort(SortStages.onCpu());
          return run;
        }
        run.close();
      } catch (RuntimeException | Error e) {
        run.close();
        throw e;
      }
      bytes *= 2;
    }
    throw new IllegalStateException("%d bytes of text do not fit into a run".formatted(text));
  }

  private boolean addAll(RunBuilder run, int from, int to) {
    for (int doc = from; doc < to; doc++) {
      run.startDocument();
      for (int field = 0; field < block.fields(); field++) {
        add(run, fields.ordinal(field), partOf(doc) + field);
      }
      if (run.finishDocument() != Outcome.ADDED) {
        return false;
      }
    }
    return true;
  }

  private void add(RunBuilder run, int ordinal, int number) {
    int length = block.partStart(number + 1) - block.partStart(number);
    if (part.length < length + Long.BYTES) {
      part = new byte[Math.max(length + Long.BYTES, 2 * part.length)];
    }
    OffHeap.copyWords(block.textAddress() + block.partStart(number), part, 0, length);
    int position = 0;
    for (int at = 0; at < length; ) {
      int end = endOfWord(at, length);
      if (end == at) {
        at++;
      } else {
        if (isWord(at, end)) {
          int bytes = copy(at, end);
          if (fields.isEnglish(ordinal)) {
            bytes = english.stem(word, WORD, bytes);
          }
          if (bytes != EnglishWords.NOTHING) {
            run.add(ordinal, word, WORD, bytes, position);
          }
          position++;
        }
        at = end;
      }
    }
  }

  /** The end of the bytes from {@code start} on that belong together. */
  private int endOfWord(int start, int length) {
    int at = start;
    while (at < length
        && (isLetter(part[at])
            || isDigit(part[at])
            || part[at] == CONNECTOR
            || joins(start, at, length))) {
      at++;
    }
    return at;
  }

  /** Whether a byte joins two letters, or two digits. */
  private boolean joins(int start, int at, int length) {
    if (at == start || at + 1 >= length) {
      return false;
    }
    byte before = part[at - 1];
    byte after = part[at + 1];
    return switch (part[at]) {
      case ':' -> isLetter(before) && isLetter(after);
      case ',', ';' -> isDigit(before) && isDigit(after);
      case '.', '\'' ->
          (isLetter(before) && isLetter(after)) || (isDigit(before) && isDigit(after));
      default -> false;
    };
  }

  /** Connectors alone are no word. */
  private boolean isWord(int from, int to) {
    for (int at = from; at < to; at++) {
      if (part[at] != CONNECTOR) {
        return true;
      }
    }
    return false;
  }

  /** Copies a word in lower case and without escapes. */
  private int copy(int from, int to) {
    if (word.length < WORD + to - from + Long.BYTES) {
      word = new byte[WORD + 2 * (to - from) + Long.BYTES];
    }
    for (int at = from; at < to; at++) {
      byte plain = part[at];
      int escape = (plain & 0xFF) - PlainText.FIRST_ESCAPE;
      if (escape >= 0) {
        plain = (byte) PlainText.ESCAPED.charAt(Math.min(escape, PlainText.ESCAPED.length() - 1));
      } else if (plain >= 'A' && plain <= 'Z') {
        plain |= 0x20;
      }
      word[WORD + at - from] = plain;
    }
    return to - from;
  }

  @Override
  public long tokens() {
    return tokens;
  }

  @Override
  public boolean byDevice() {
    return false;
  }

  @Override
  public int length(int number, int docId) {
    return lengths[partOf(docId) + number];
  }

  @Override
  public PostingsCursor cursor(Schema unused) {
    if (whole != null) {
      return whole.cursor();
    }
    return new MergingCursor(
        pieces.stream()
            .map(piece -> new MergingCursor.Input(piece.run.cursor(null, null, 0), piece.first))
            .toList());
  }

  @Override
  public void close() {
    if (whole != null) {
      whole.close();
    }
    pieces.forEach(piece -> piece.run.close());
  }
}
