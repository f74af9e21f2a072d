package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.RecordedSkips;
import io.kmodel.indexer.source.unpack.InputBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files on either side of the window that small files are read through. */
class SmallFilesTest {
  private static final int WINDOW = InputBytes.WINDOW_BYTES;
  private static final int SNIFFED = ContentSniffer.WINDOW_BYTES;

  /** In the order of the names. */
  private static final int[] SIZES = {
    0, 1, SNIFFED - 1, SNIFFED, SNIFFED + 1, WINDOW - 1, WINDOW, WINDOW + 1
  };

  @TempDir Path root;

  private enum Content {
    BINARY,
    PAGE,
    TEXT
  }

  private record Written(String id, Content content, String text) {}

  private record Doc(String id, String place, ContentType type, String url, long unit, long at) {}

  @ParameterizedTest
  @EnumSource(names = {"AUTO", "TEXT", "HTML"})
  void filesOfAnySizeAreReadAlikeAcrossTheWindow(Format format) throws Exception {
    List<Written> files = write();
    for (int limit : new int[] {1, SNIFFED, WINDOW - 1, WINDOW, 1 << 20}) {
      SourceOptions options = new SourceOptions(format, Docno.TREC_ID, limit, 1000);
      check(files, options);
    }
  }

  private void check(List<Written> files, SourceOptions options) throws Exception {
    List<Doc> docs = new ArrayList<>();
    List<String> contents = new ArrayList<>();
    RecordedSkips skips = new RecordedSkips();
    Crawl crawl = Crawl.open(List.of(root), List.of(), options, skips);
    Split all = crawl.splits(Long.MAX_VALUE).get(0);
    try (DocumentReader reader = all.open(skips)) {
      for (RawDocument d = reader.next(); d != null; d = reader.next()) {
        docs.add(
            new Doc(
                d.id(), d.place().toString(), d.type(), d.url(), d.unit(), reader.passedBytes()));
        assertThat(d.place().offset()).isEqualTo(-1);
        assertThat(d.title() + d.charset()).isEmpty();
        contents.add(new String(d.bytes(), 0, d.length(), ISO_8859_1));
      }
      assertThat(reader.passedBytes()).isEqualTo(crawl.bytes()).isEqualTo(all.bytes());
    }
    Expected expected = new Expected(files, options);
    assertThat(docs).isEqualTo(expected.docs);
    assertThat(skips.all()).isEqualTo(expected.skips);
    for (int i = 0; i < docs.size(); i++) {
      boolean same = contents.get(i).equals(expected.contents.get(i));
      assertThat(same).as("bytes of %s", docs.get(i)).isTrue();
    }
  }

  /** What the rules say of the files. */
  private final class Expected {
    private final List<Doc> docs = new ArrayList<>();
    private final List<String> contents = new ArrayList<>();
    private final List<RecordedSkips.Skip> skips = new ArrayList<>();
    private final SourceOptions options;
    private long unit;
    private int unitFiles;
    private long unitBytes;
    private long passed;

    private Expected(List<Written> files, SourceOptions options) {
      this.options = options;
      for (Written file : files) {
        if (unitFiles == FileList.UNIT_FILES || unitBytes >= FileList.UNIT_BYTES) {
          unit++;
          unitFiles = 0;
          unitBytes = 0;
        }
        unitFiles++;
        unitBytes += file.text.length();
        passed += file.text.length();
        add(file);
      }
      assertThat(unit).isPositive();
    }

    private void add(Written file) {
      int size = file.text.length();
      String place = root + "/" + file.id;
      if (file.content == Content.BINARY && size > 0) {
        String detail = "NUL at byte " + (Math.min(size, SNIFFED) - 1);
        skips.add(new RecordedSkips.Skip(place, SkipReason.BINARY, detail));
      } else if (size > options.maxDocumentBytes()) {
        String detail =
            "file has %d bytes, the limit is %d".formatted(size, options.maxDocumentBytes());
        skips.add(new RecordedSkips.Skip(place, SkipReason.TOO_LARGE, detail));
      } else {
        docs.add(new Doc(file.id, place, type(file), file.id, unit, passed));
        contents.add(file.text);
      }
    }

    private ContentType type(Written file) {
      boolean page = file.content == Content.PAGE && file.text.length() >= "<p>".length();
      boolean html = options.format() == Format.HTML || (options.format() == Format.AUTO && page);
      return html ? ContentType.HTML : ContentType.PLAIN_TEXT;
    }
  }

  /** Enough for more than one unit. */
  private List<Written> write() throws IOException {
    List<Written> files = new ArrayList<>();
    for (int directory = 0; directory < 4; directory++) {
      Files.createDirectory(root.resolve("d" + directory));
      for (int size : SIZES) {
        for (Content content : Content.values()) {
          String id = "d%d/%05d-%s".formatted(directory, size, content);
          String text = text(content, size, id);
          Files.writeString(root.resolve(id), text, ISO_8859_1);
          files.add(new Written(id, content, text));
        }
      }
    }
    return files;
  }

  /** No two files are alike, nor two lines of one. */
  private static String text(Content content, int size, String id) {
    StringBuilder text = new StringBuilder(content == Content.PAGE ? "<p>" : "words \u00E9 ");
    for (int line = 0; text.length() < size; line++) {
      text.append(id).append(' ').append(line).append('\n');
    }
    text.setLength(size);
    if (content == Content.BINARY && size > 0) {
      text.setCharAt(Math.min(size, SNIFFED) - 1, '\0');
    }
    return text.toString();
  }
}
