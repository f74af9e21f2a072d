package io.kmodel.indexer.index.terms;

import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Writes the terms of an index in byte order of their keys, prefix-coded in blocks of {@value
 * #BLOCK_TERMS}, and the table that locates blocks. Offsets count from the start of the body of the
 * file they point into.
 *
 * <pre>
 * terms.dictionary body := block*
 * block                 := docsOffset:vlong positionsOffset:vlong entry{1..32}  of the first term;
 *                          offsets of the others follow from the preceding lengths
 * entry                 := see {@link TermEntry}; the first of a block shares nothing
 *
 * terms.index body      := separator* (separatorOffset:u64 blockOffset:u64)* terms:u64
 *                          one pair per block and one for the end; a separator is the shortest
 *                          prefix of its block's first key that is above all earlier keys
 * </pre>
 *
 * Example: field 0 has positions; "ab" is in documents 0 (once) and 5 (three times; 3 + 5 bytes),
 * "ac" in document 7 (twice; 2 bytes). The dictionary is {@code 00 00, 00 03 006162 02 02 03 05, 02
 * 01 63 01 01 07 02}, the index {@code 00}, {@code (0,0) (1,18)}, {@code 2}, with eight bytes per
 * number.
 *
 * <p>Memory: two keys and the buffers of three files. Not thread-safe.
 */
public final class TermDictionaryWriter implements AutoCloseable {
  /** Few enough to scan in a microsecond; enough to keep the table small compared to the terms. */
  public static final int BLOCK_TERMS = 32;

  /** Bytes of a pair of offsets in the table. */
  static final int PAIR_BYTES = 16;

  private final Schema schema;
  private final OutputFile dictionary;
  private final long dictionaryStart;
  private final OutputFile index;
  private final long indexStart;
  private final OutputFile table;

  /** The last term of the previous part. */
  private TermEntry last = new TermEntry();

  private long terms;
  private long docsOffset;
  private long positionsOffset;

  public TermDictionaryWriter(Path directory, Path temporary, Schema schema) throws IOException {
    this.schema = schema;
    this.dictionary =
        OutputFile.create(
            directory.resolve(IndexFiles.DICTIONARY), IndexFiles.DICTIONARY, IndexFiles.VERSION);
    this.dictionaryStart = dictionary.position();
    this.index =
        OutputFile.create(
            directory.resolve(IndexFiles.TERM_INDEX), IndexFiles.TERM_INDEX, IndexFiles.VERSION);
    this.indexStart = index.position();
    this.table = OutputFile.spool(temporary.resolve("terms.table"));
  }

  /**
   * Adds the terms of a part's file, each prefix-coded against the previous one.
   *
   * @param each receives every term
   * @throws IllegalArgumentException if the first term is not above all terms added before
   */
  public void addAll(ByteReader in, Consumer<TermEntry> each) throws IOException {
    if (in.remaining() == 0) {
      return;
    }
    TermEntry term = new TermEntry();
    term.read(in, schema);
    int shared = sharedWithLast(term);
    while (true) {
      add(term, shared);
      each.accept(term);
      if (in.remaining() == 0) {
        last = term;
        return;
      }
      // This also checks the order of terms.
      term.read(in, schema);
      shared = term.shared;
    }
  }

  private int sharedWithLast(TermEntry term) {
    int shared = TermEntry.sharedAbove(last.key, last.keyLength, term.key, term.keyLength);
    if (shared < 0) {
      throw new IllegalArgumentException(
          "terms out of order: %s after %s".formatted(printable(term), printable(last)));
    }
    return shared;
  }

  private void add(TermEntry term, int shared) throws IOException {
    boolean startsBlock = terms % BLOCK_TERMS == 0;
    if (startsBlock) {
      writePair();
      index.writeBytes(term.key, 0, shared + 1);
      dictionary.writeVLong(docsOffset);
      dictionary.writeVLong(positionsOffset);
    }
    term.write(dictionary, startsBlock ? 0 : shared, schema.field(term.field()));
    docsOffset += term.docsBytes;
    positionsOffset += term.positionsBytes;
    terms++;
  }

  public void commit() throws IOException {
    writePair();
    table.appendTo(index);
    index.writeLong(terms);
    index.commit();
    dictionary.commit();
  }

  @Override
  public void close() throws IOException {
    try (dictionary;
        index;
        table) {
      // Closing deletes what was not committed.
    }
  }

  private void writePair() throws IOException {
    table.writeLong(index.position() - indexStart);
    table.writeLong(dictionary.position() - dictionaryStart);
  }

  private static String printable(TermEntry term) {
    return TermIndex.printable(term.key, term.keyLength);
  }
}
