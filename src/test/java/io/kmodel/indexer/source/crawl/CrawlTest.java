package io.kmodel.indexer.source.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.Pipes;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.list.PathBytes;
import io.kmodel.indexer.source.record.RecordedSkips;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrawlTest {
  private static final int LIMIT = 1 << 20;

  @TempDir Path root;
  private final RecordedSkips skips = new RecordedSkips();

  /** A document, copied out of its reader. */
  private record Doc(String id, String place, ContentType type, String text, long unit) {}

  @Test
  void aDocumentHasItsRelativePathAsIdAndItsFullPathAsPlace()
      throws IOException, InterruptedException {
    write("a/b.html", "<p>bird</p>");
    assertThat(read(LIMIT))
        .containsExactly(
            new Doc("a/b.html", root + "/a/b.html", ContentType.HTML, "<p>bird</p>", 0));
  }

  @Test
  void severalRootsComeInTheOrderGiven() throws IOException, InterruptedException {
    write("one/z.txt", "z");
    write("two/a.txt", "a");
    write("single.txt", "s");
    Crawl crawl =
        Crawl.open(
            List.of(root.resolve("two"), root.resolve("single.txt"), root.resolve("one")),
            LIMIT,
            skips);
    List<Doc> docs = read(crawl, 1);
    assertThat(docs).extracting(Doc::id).containsExactly("a.txt", "single.txt", "z.txt");
    assertThat(docs).extracting(Doc::unit).containsExactly(0L, 1L, 2L);
    assertThat(docs.get(1).place()).isEqualTo(root.resolve("single.txt").toString());
  }

  @Test
  void aRootThatIsALinkIsFollowed() throws IOException, InterruptedException {
    write("real/a.txt", "a");
    Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("real"));
    assertThat(read(Crawl.open(List.of(link), LIMIT, skips), 1))
        .extracting(Doc::id)
        .containsExactly("a.txt");
  }

  @Test
  void aFileGivenByALinkHasTheLinksName() throws IOException, InterruptedException {
    write("store/1f.html", "<p>one");
    write("store/2f", "7\tone\n8\ttwo\n");
    Files.createDirectory(root.resolve("given"));
    Path chain = Files.createSymbolicLink(root.resolve("chain"), Path.of("store/1f.html"));
    Path page = Files.createSymbolicLink(root.resolve("given/page.txt"), chain);
    Path list = Files.createSymbolicLink(root.resolve("given/list.tsv"), root.resolve("store/2f"));
    Crawl crawl = Crawl.open(List.of(page, list), LIMIT, skips);
    List<Doc> docs = read(crawl, 1);
    assertThat(docs).extracting(Doc::id).containsExactly("page.txt", "7", "8");
    assertThat(docs).extracting(Doc::text).containsExactly("<p>one", "one", "two");
    assertThat(docs)
        .extracting(Doc::place)
        .containsExactly(page.toString(), list + " at byte 0", list + " at byte 6");
    assertThat(crawl.survey(DecoderGuard.ALONE).kinds().keySet())
        .extracting(CrawlSurvey.Kind::format)
        .containsExactlyInAnyOrder("html", "tsv");
    assertThat(skips.all()).isEmpty();
  }

  @Test
  void aLinkToAPipeIsReportedByItsOwnName() throws Exception {
    Path pipe = root.resolve("pipe");
    Pipes.make(pipe);
    Path link = Files.createSymbolicLink(root.resolve("link"), pipe);
    assertThat(read(Crawl.open(List.of(link), LIMIT, skips), 1)).isEmpty();
    assertThat(skips.only().place()).isEqualTo(link.toString());
  }

  @Test
  void aMissingRootIsAnError() {
    assertThatThrownBy(() -> Crawl.open(List.of(root.resolve("absent")), LIMIT, skips))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageEndingWith("absent: no such directory or file");
    Path lossy = root.resolve("a\uFFFD");
    assertThatThrownBy(() -> Crawl.open(List.of(lossy), LIMIT, skips))
        .hasMessageContaining("no such directory or file; if its name is not UTF-8, ")
        .hasMessageEndingWith("pass its parent directory or a link to it");
  }

  @Test
  void noRootAndNoLimitAreErrors() {
    assertThatThrownBy(() -> Crawl.open(List.of(), LIMIT, skips))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Crawl.open(List.of(root), 0, skips))
        .hasMessage("maxDocumentBytes must be 1 to 536870912; got 0");
    assertThatThrownBy(() -> Crawl.open(List.of(root), LIMIT, skips).splits(0))
        .hasMessage("fullBytes must be at least 1; got 0");
  }

  @Test
  void anEmptyDirectoryHasNoSplits() throws IOException, InterruptedException {
    Crawl crawl = Crawl.open(List.of(root), LIMIT, skips);
    assertThat(crawl.splits(1)).isEmpty();
    assertThat(crawl.files()).isZero();
    assertThat(crawl.bytes()).isZero();
  }

  @Test
  void linksAndPipesAreSkippedAndCounted() throws Exception {
    write("a.txt", "a");
    write("sub/b.txt", "b");
    Files.createSymbolicLink(root.resolve("linked.txt"), root.resolve("a.txt"));
    Files.createSymbolicLink(root.resolve("linked"), root.resolve("sub"));
    Files.createSymbolicLink(root.resolve("nowhere"), root.resolve("absent"));
    Pipes.make(root.resolve("pipe"));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(root.resolve("socket")));
      assertThat(read(LIMIT)).extracting(Doc::id).containsExactly("a.txt", "sub/b.txt");
    }
    String reason = "symbolic link";
    assertThat(skips.all())
        .containsExactly(
            new RecordedSkips.Skip(root + "/linked", SkipReason.NOT_A_FILE, reason),
            new RecordedSkips.Skip(root + "/linked.txt", SkipReason.NOT_A_FILE, reason),
            new RecordedSkips.Skip(root + "/nowhere", SkipReason.NOT_A_FILE, reason),
            new RecordedSkips.Skip(root + "/pipe", SkipReason.NOT_A_FILE, "pipe, socket or device"),
            new RecordedSkips.Skip(
                root + "/socket", SkipReason.NOT_A_FILE, "pipe, socket or device"));
  }

  @Test
  void linksThatLeadInCirclesAreSkippedAndCounted() throws IOException, InterruptedException {
    write("sub/a.txt", "a");
    Files.createSymbolicLink(root.resolve("sub/up"), root);
    Files.createSymbolicLink(root.resolve("sub/self"), root.resolve("sub/self"));
    Files.createSymbolicLink(root.resolve("one"), root.resolve("two"));
    Files.createSymbolicLink(root.resolve("two"), root.resolve("one"));
    assertThat(read(LIMIT)).extracting(Doc::id).containsExactly("sub/a.txt");
    assertThat(skips.all()).hasSize(4).allMatch(s -> s.reason() == SkipReason.NOT_A_FILE);
    assertThatThrownBy(() -> Crawl.open(List.of(root.resolve("one")), LIMIT, skips))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aDeviceIsSkippedAndCounted() throws IOException, InterruptedException {
    Path zero = Path.of("/dev/zero");
    assumeTrue(Files.exists(zero), "no /dev/zero");
    Crawl crawl = Crawl.open(List.of(zero), LIMIT, skips);
    assertThat(read(crawl, 1)).isEmpty();
    assertThat(skips.only().reason()).isEqualTo(SkipReason.NOT_A_FILE);
  }

  @Test
  void whatMayNotBeReadIsSkippedAndCounted() throws IOException, InterruptedException {
    assumeFalse("root".equals(System.getProperty("user.name")), "root may read everything");
    write("closed/a.txt", "a");
    write("b.txt", "b");
    write("c.txt", "c");
    Path closed = root.resolve("closed");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    Files.setPosixFilePermissions(
        root.resolve("b.txt"), PosixFilePermissions.fromString("---------"));
    try {
      assertThat(read(LIMIT)).extracting(Doc::id).containsExactly("c.txt");
      assertThat(skips.all())
          .extracting(RecordedSkips.Skip::reason)
          .containsExactly(SkipReason.UNREADABLE, SkipReason.UNREADABLE);
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void aFileOfExactlyTheLimitIsReadAndOneByteMoreIsTooLarge()
      throws IOException, InterruptedException {
    for (int limit : new int[] {1, 100, (1 << 16) - 1, 1 << 16, 300_000}) {
      write("exact.txt", "x".repeat(limit));
      write("more.txt", "x".repeat(limit + 1));
      RecordedSkips here = new RecordedSkips();
      Crawl crawl = Crawl.open(List.of(root), limit, here);
      try (DocumentReader reader = crawl.splits(Long.MAX_VALUE).get(0).open(here)) {
        RawDocument document = reader.next();
        assertThat(document).isNotNull();
        assertThat(document.length()).isEqualTo(limit);
        assertThat(reader.next()).isNull();
      }
      assertThat(here.only())
          .isEqualTo(
              new RecordedSkips.Skip(
                  root + "/more.txt",
                  SkipReason.TOO_LARGE,
                  "file has %d bytes, the limit is %d".formatted(limit + 1, limit)));
    }
  }

  @Test
  void anEmptyFileIsADocumentOfTheTypeThatItsNameSays() throws IOException, InterruptedException {
    write("a.html", "");
    write("b.txt", "");
    write("c", "");
    assertThat(read(LIMIT))
        .extracting(Doc::type)
        .containsExactly(ContentType.HTML, ContentType.PLAIN_TEXT, ContentType.PLAIN_TEXT);
  }

  @Test
  void aVeryDeepTreeIsWalkedWithoutRecursion() throws IOException, InterruptedException {
    Path deep = root;
    while (deep.toString().length() < 3900) {
      deep = deep.resolve("d");
    }
    Files.createDirectories(deep);
    Files.writeString(deep.resolve("x.txt"), "deep");
    assertThat(read(LIMIT)).extracting(Doc::text).containsExactly("deep");
    // The library's own cleaning up takes half a minute over this.
    Directories.deleteTree(root.resolve("d"));
  }

  @Test
  void splitsAreContiguousAndUnitsDependOnTheFilesAlone() throws IOException, InterruptedException {
    Random random = new Random(17);
    long bytes = 0;
    for (int i = 0; i < 400; i++) {
      int size = random.nextInt(10) == 0 ? random.nextInt(700_000) : random.nextInt(100);
      write("%02d/%03d.txt".formatted(i / 50, i), "x".repeat(size));
      bytes += size;
    }
    Crawl crawl = Crawl.open(List.of(root), LIMIT, skips);
    assertThat(crawl.files()).isEqualTo(400);
    assertThat(crawl.bytes()).isEqualTo(bytes);
    List<Doc> whole = read(crawl, Long.MAX_VALUE);
    assertThat(whole).hasSize(400);
    assertThat(crawl.splits(Long.MAX_VALUE)).hasSize(1);
    for (long full : new long[] {1, 1 << 20, 3 << 20}) {
      assertThat(read(crawl, full)).isEqualTo(whole);
      List<Split> splits = crawl.splits(full);
      assertThat(splits.stream().mapToLong(Split::bytes).sum()).isEqualTo(bytes);
      for (int i = 0; i < splits.size(); i++) {
        assertThat(splits.get(i).ordinal()).isEqualTo(i);
      }
    }
    checkUnits(whole);
  }

  /** A unit is as long as the rule says: full in files or bytes, and not before its last file. */
  private static void checkUnits(List<Doc> docs) {
    int files = 0;
    long bytes = 0;
    long unit = 0;
    for (Doc doc : docs) {
      if (files == FileList.UNIT_FILES || bytes >= FileList.UNIT_BYTES) {
        unit++;
        files = 0;
        bytes = 0;
      }
      assertThat(doc.unit()).as(doc.id()).isEqualTo(unit);
      files++;
      bytes += doc.text().length();
    }
    assertThat(unit).isPositive();
  }

  @Test
  void aSplitCanBeReadTwiceAndByManyReadersAtOnce() throws IOException, InterruptedException {
    for (int i = 0; i < 100; i++) {
      write("%d.txt".formatted(i), "text " + i);
    }
    Split split = Crawl.open(List.of(root), LIMIT, skips).splits(Long.MAX_VALUE).get(0);
    try (DocumentReader one = split.open(skips);
        DocumentReader two = split.open(skips)) {
      for (RawDocument d = one.next(); d != null; d = one.next()) {
        RawDocument e = two.next();
        assertThat(e).isNotNull();
        assertThat(text(e)).isEqualTo(text(d));
      }
      assertThat(two.next()).isNull();
      assertThat(two.next()).isNull();
    }
  }

  @Test
  void theListTakesLessThanThirtyBytesAFile() {
    FileList.Builder builder = new FileList.Builder();
    builder.startRoot(root);
    int files = 300_000;
    for (int i = 0; i < files; i++) {
      String path =
          "www.example-%02d.org/articles/%04d/page-about-something-%07d.html"
              .formatted(i / 10_000, i / 100, i);
      builder.add(path.getBytes(StandardCharsets.UTF_8), 20_000 + i % 5000);
    }
    FileList list = builder.build();
    assertThat(list.files()).isEqualTo(files);
    assertThat(list.memoryBytes()).isLessThan(20L * files);
    FileList.Cursor cursor = list.cursor(0, list.units());
    int read = 0;
    while (cursor.next()) {
      assertThat(cursor.size()).isEqualTo(20_000 + read % 5000);
      read++;
    }
    assertThat(read).isEqualTo(files);
    assertThat(PathBytes.text(cursor.path(), cursor.pathLength()))
        .isEqualTo("www.example-29.org/articles/2999/page-about-something-0299999.html");
  }

  @Test
  void theListHasTheDocumentedForm() {
    FileList.Builder builder = new FileList.Builder();
    builder.startRoot(root);
    builder.add("a/b".getBytes(StandardCharsets.UTF_8), 5);
    builder.add("a/cd".getBytes(StandardCharsets.UTF_8), 300);
    byte[] expected = {0, 2, 5, 0, 3, 'a', '/', 'b', (byte) 0xAC, 2, 2, 2, 'c', 'd'};
    assertThat(builder.build().encoded()).isEqualTo(expected);
  }

  private void write(String name, String text) throws IOException, InterruptedException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private List<Doc> read(int limit) throws IOException, InterruptedException {
    return read(Crawl.open(List.of(root), limit, skips), 1);
  }

  private List<Doc> read(Crawl crawl, long fullBytes) throws IOException, InterruptedException {
    List<Doc> docs = new ArrayList<>();
    for (Split split : crawl.splits(fullBytes)) {
      try (DocumentReader reader = split.open(skips)) {
        for (RawDocument d = reader.next(); d != null; d = reader.next()) {
          docs.add(new Doc(d.id(), d.place().toString(), d.type(), text(d), d.unit()));
        }
      }
    }
    return docs;
  }

  private static String text(RawDocument d) {
    return new String(Arrays.copyOf(d.bytes(), d.length()), StandardCharsets.UTF_8);
  }
}
