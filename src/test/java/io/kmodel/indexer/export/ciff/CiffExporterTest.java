package io.kmodel.indexer.export.ciff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.DirectoryLock;
import io.kmodel.indexer.store.disk.LockedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CiffExporterTest {
  private static final List<ParsedDocument> THREE =
      List.of(
          new ParsedDocument("a", "t", "x y x"),
          new ParsedDocument("b", "", ""),
          new ParsedDocument("c", "", "y \u00e9"));

  /** The file of these three documents, written by hand. */
  private static final String GOLDEN =
      // Header: version, lists, documents, all lists, all documents, tokens, 5 / 3, description
      "77 0801 1003 1803 2003 2803 3005 39ABAAAAAAAAAAFA3F 4260"
          + hex("indexer: field contents, analyzer unknown, exact lengths, index ")
          + "DIGEST"
          // "x", df 1, cf 2: in document 0, whose zero is not written, twice
          + "0B 0A0178 1001 1802 22021002"
          // "y", df 2, cf 2: in document 0, and 2 further on
          + "11 0A0179 1002 1802 22021001 220408021001"
          // "é", after the ASCII terms
          + "0E 0A02C3A9 1001 1801 220408021001"
          // Documents: the number 0 and the length 0 are not written
          + "05 120161 1803"
          + "05 0801 120162"
          + "07 0802 120163 1802";

  @TempDir Path directory;

  @Test
  void everyWireRuleIsAsInTheFileWrittenByHand() throws IOException {
    Path file = directory.resolve("three.ciff");
    String digest;
    try (InvertedIndex index = index(THREE)) {
      digest = index.digest();
      CiffExportResult result = export(index, file, CiffExportOptions.DEFAULT);
      assertThat(result.postings()).isEqualTo(4);
      assertThat(result.bytes()).isEqualTo(Files.size(file));
      assertThat(result.header().totalTerms()).isEqualTo(5);
    }
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(file)))
        .isEqualTo(GOLDEN.replace(" ", "").replace("DIGEST", hex(digest)).toLowerCase(Locale.ROOT));
  }

  @Test
  void aNameThatEndsInGzIsGzipped() throws IOException {
    Path plain = directory.resolve("three.ciff");
    Path packed = directory.resolve("three.ciff.gz");
    try (InvertedIndex index = index(THREE)) {
      export(index, plain, CiffExportOptions.DEFAULT);
      export(index, packed, CiffExportOptions.DEFAULT);
    }
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      assertThat(in.readAllBytes()).isEqualTo(Files.readAllBytes(plain));
    }
  }

  @Test
  void anotherFieldIsExportedByItsName() throws IOException {
    Path file = directory.resolve("titles.ciff");
    try (InvertedIndex index = index(THREE)) {
      export(index, file, new CiffExportOptions(Schema.TITLE, CiffLengths.EXACT, false));
    }
    try (CiffReader reader = CiffReader.open(file)) {
      assertThat(reader.header().postingsLists()).isEqualTo(1);
      assertThat(reader.header().totalTerms()).isEqualTo(1);
    }
  }

  @Test
  void luceneLengthsAreRoundedAsNormsAre() throws IOException {
    List<ParsedDocument> documents =
        List.of(
            new ParsedDocument("40", "", "w ".repeat(40)),
            new ParsedDocument("41", "", "w ".repeat(41)),
            new ParsedDocument("1000", "", "w ".repeat(1000)));
    Path file = directory.resolve("rounded.ciff");
    try (InvertedIndex index = index(documents)) {
      export(index, file, new CiffExportOptions(Schema.CONTENTS, CiffLengths.LUCENE, false));
    }
    assertThat(lengths(file)).containsExactly(40, 40, 984);
    try (CiffReader reader = CiffReader.open(file)) {
      assertThat(reader.header().totalTerms()).isEqualTo(1081);
    }
  }

  @Test
  void listsOfManyBlocksAreReadAsTheyAreInTheIndex() throws IOException {
    Path file = directory.resolve("many.ciff.gz");
    try (InvertedIndex index = index(SampleDocuments.random(7, 3000, 30))) {
      export(index, file, CiffExportOptions.DEFAULT);
      try (CiffReader reader = CiffReader.open(file);
          PostingsCursor ours = index.cursor()) {
        List<String> expected = postings(ours, index.schema().ordinal(Schema.CONTENTS));
        assertThat(postings(reader.lists(0), 0)).isEqualTo(expected).hasSizeGreaterThan(3000);
      }
    }
  }

  @Test
  void anIndexWithoutDocumentsGivesAFileWithoutAny() throws IOException {
    Path file = directory.resolve("none.ciff");
    try (InvertedIndex index = index(List.of())) {
      export(index, file, CiffExportOptions.DEFAULT);
    }
    assertThat(lengths(file)).isEmpty();
    try (CiffReader reader = CiffReader.open(file)) {
      assertThat(reader.header().averageLength()).isZero();
    }
  }

  @Test
  void aListTooLongForAMessageIsRefusedAndNothingIsLeft() throws IOException {
    Path file = directory.resolve("three.ciff");
    try (InvertedIndex index = index(THREE)) {
      assertThatThrownBy(
              () ->
                  CiffExporter.export(
                      index, file, CiffExportOptions.DEFAULT, 16, ProgressListener.NONE))
          .isInstanceOf(FormatLimitException.class)
          .hasMessageContaining("the list of 'y' (2 documents) takes 17 bytes")
          .hasMessageContaining("has at most 16");
      assertThat(directory).isDirectoryNotContaining("glob:**.ciff*");
      CiffExporter.export(index, file, CiffExportOptions.DEFAULT, 17, ProgressListener.NONE);
      assertThat(file).exists();
    }
  }

  @Test
  void aFileThatIsThereIsReplacedOnlyWhenAsked() throws IOException {
    Path file = Files.writeString(directory.resolve("mine.ciff"), "mine");
    try (InvertedIndex index = index(THREE)) {
      assertThatThrownBy(() -> export(index, file, CiffExportOptions.DEFAULT))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining("--overwrite");
      assertThat(file).hasContent("mine");
      export(index, file, new CiffExportOptions(Schema.CONTENTS, CiffLengths.EXACT, true));
      assertThat(lengths(file)).containsExactly(3, 0, 2);
      Path folder = Files.createDirectory(directory.resolve("folder"));
      assertThatThrownBy(
              () ->
                  export(
                      index,
                      folder,
                      new CiffExportOptions(Schema.CONTENTS, CiffLengths.EXACT, true)))
          .hasMessageContaining("not a regular file");
    }
  }

  @Test
  void aFileThatCameToBeThereMeanwhileIsNotReplaced() throws IOException {
    Path file = directory.resolve("three.ciff");
    try (InvertedIndex index = index(THREE)) {
      assertThatThrownBy(
              () ->
                  CiffExporter.export(
                      index,
                      file,
                      CiffExportOptions.DEFAULT,
                      (done, total) ->
                          assertThatCode(() -> Files.writeString(file, "mine"))
                              .doesNotThrowAnyException()))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(file).hasContent("mine");
    assertThat(directory).isDirectoryNotContaining("glob:**.exporting");
  }

  @Test
  void aFileIsForcedBeforeItHasItsName() throws IOException {
    Faults faults = new Faults();
    Path file = new FaultyFileSystem(faults).through(directory.resolve("three.ciff"));
    try (InvertedIndex index = index(THREE)) {
      for (int n : new int[] {1, 2}) {
        faults.fail(Kind.FORCE, n);
        assertThatThrownBy(() -> export(index, file, CiffExportOptions.DEFAULT))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(
                n == 1 ? "three.ciff.exporting/made failed" : directory + " failed");
        assertThat(Files.exists(directory.resolve("three.ciff"))).isEqualTo(n == 2);
      }
    }
  }

  @Test
  void whatCiffCannotHoldIsRefusedInWords() throws IOException {
    try (InvertedIndex index = index(THREE)) {
      assertThatThrownBy(
              () ->
                  export(
                      index,
                      directory.resolve("x"),
                      new CiffExportOptions(Schema.ID, CiffLengths.EXACT, false)))
          .hasMessageContaining("available: contents, title");
    }
    Path nameless = directory.resolve("nameless");
    NaiveIndex.write(
        nameless, Schemas.of(Detail.POSITIONS, Stored.NOTHING), new WhitespaceAnalyzer(), THREE);
    try (InvertedIndex index = InvertedIndex.open(nameless)) {
      assertThatThrownBy(() -> export(index, directory.resolve("x"), CiffExportOptions.DEFAULT))
          .hasMessageContaining("does not store ids");
    }
  }

  @Test
  void whoComesSecondIsToldBeforeAnythingIsRead() throws IOException {
    Path file = directory.resolve("three.ciff");
    Path exporting = directory.resolve("three.ciff.exporting");
    try (InvertedIndex index = index(THREE)) {
      damageFooter(directory.resolve("ours").resolve("postings.docs"));
      CiffExportOptions refused = new CiffExportOptions(Schema.ID, CiffLengths.EXACT, false);
      try (DirectoryLock lock = DirectoryLock.take(exporting, Set.of())) {
        for (CiffExportOptions options : List.of(CiffExportOptions.DEFAULT, refused)) {
          assertThatThrownBy(() -> export(index, file, options))
              .isInstanceOf(LockedException.class)
              .hasMessageContaining(exporting.toString());
        }
        assertThat(exporting).exists();
        lock.deleteAtClose();
      }
      assertThatThrownBy(() -> export(index, file, CiffExportOptions.DEFAULT))
          .isInstanceOf(CorruptIndexException.class);
      Path there = Files.createFile(directory.resolve("there"));
      assertThatThrownBy(() -> export(index, there, CiffExportOptions.DEFAULT))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(directory).isDirectoryNotContaining("glob:**.ciff*");
    }
  }

  /** Else the file would have its place before anybody looks. */
  @Test
  void whoIsToldToStopReadsWhatWasWrittenNoFurther() throws IOException {
    Path file = directory.resolve("three.ciff");
    try (InvertedIndex index = index(THREE)) {
      export(index, file, CiffExportOptions.DEFAULT);
    }
    CiffHeader header;
    try (CiffReader reader = CiffReader.open(file)) {
      header = reader.header();
    }
    AtomicLong told = new AtomicLong();
    LongConsumer stopping =
        count -> {
          told.addAndGet(count);
          Thread.currentThread().interrupt();
        };
    assertThatThrownBy(() -> CiffCheck.check(file, header, header.totalTerms(), true, stopping))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(told)
        .hasValueLessThan(CiffCheck.check(file, header, header.totalTerms(), true, count -> {}));
  }

  @Test
  void aDirectoryThatIsNotThereIsNotMade() throws IOException {
    Path missing = directory.resolve("missing");
    try (InvertedIndex index = index(THREE)) {
      assertThatThrownBy(
              () -> export(index, missing.resolve("three.ciff"), CiffExportOptions.DEFAULT))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageStartingWith(missing + ": no such directory to export ");
      assertThat(missing).doesNotExist();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "made", "lock.gz"})
  void aFileMayBeCalledAsTheExportersOwnAre(String name) throws IOException {
    Path file = directory.resolve(name);
    Path other = directory.resolve(name.endsWith(".gz") ? "other.gz" : "other");
    try (InvertedIndex index = index(THREE)) {
      export(index, file, CiffExportOptions.DEFAULT);
      export(index, other, CiffExportOptions.DEFAULT);
    }
    assertThat(file).hasSameBinaryContentAs(other);
    assertThat(lengths(file)).containsExactly(3, 0, 2);
    assertThat(directory).isDirectoryNotContaining("glob:**.exporting");
  }

  /** A bit of the checksum of everything, which is looked at by who verifies. */
  private static void damageFooter(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long place = channel.size() - 8;
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, place);
      channel.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 1)}), place);
    }
  }

  @Test
  void progressEndsWhereItShould() throws IOException {
    List<Long> told = new ArrayList<>();
    try (InvertedIndex index = index(THREE)) {
      CiffExporter.export(
          index,
          directory.resolve("three.ciff"),
          CiffExportOptions.DEFAULT,
          (done, total) -> {
            assertThat(total).isEqualTo(2 * (4 + 3));
            told.add(done);
          });
    }
    assertThat(told).isSorted().endsWith(14L);
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static CiffExportResult export(InvertedIndex index, Path file, CiffExportOptions options)
      throws IOException {
    return CiffExporter.export(index, file, options, ProgressListener.NONE);
  }

  private InvertedIndex index(List<ParsedDocument> documents) throws IOException {
    Path ours = directory.resolve("ours");
    NaiveIndex.write(
        ours, Schemas.of(Detail.POSITIONS, Stored.CONTENTS), new WhitespaceAnalyzer(), documents);
    return InvertedIndex.open(ours);
  }

  private static List<Integer> lengths(Path file) throws IOException {
    List<Integer> lengths = new ArrayList<>();
    try (CiffReader reader = CiffReader.open(file)) {
      for (PostingsCursor lists = reader.lists(0); lists.nextTerm(); ) {
        assertThat(lists.docFreq()).isPositive();
      }
      while (reader.nextDocument()) {
        lengths.add(reader.documentLength());
      }
    }
    return lengths;
  }

  /** Every posting of a field, in words. */
  static List<String> postings(PostingsCursor cursor, int field) throws IOException {
    List<String> postings = new ArrayList<>();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    while (cursor.nextTerm()) {
      if (cursor.term()[0] != field) {
        continue;
      }
      ByteArrayOutputStream term = new ByteArrayOutputStream();
      term.write(cursor.term(), 1, cursor.termLength() - 1);
      String name = term.toString(StandardCharsets.UTF_8);
      for (int n; (n = cursor.nextDocs(docs, freqs)) > 0; ) {
        for (int i = 0; i < n; i++) {
          postings.add(name + " " + docs[i] + " " + freqs[i]);
        }
      }
    }
    return postings;
  }
}
