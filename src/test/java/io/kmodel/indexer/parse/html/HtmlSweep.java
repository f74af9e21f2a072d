package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.text.Utf8Text;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Compares {@link HtmlExtractor} with jsoup on all pages below a folder, the text of headings and
 * links included, and says how fast each is in CPU time, the extractor also without those two.
 *
 * <pre>
 * mvn -q test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
 * java -cp target/classes:target/test-classes:$(cat target/classpath) \
 *     io.kmodel.indexer.parse.html.HtmlSweep FOLDER [PAGES]
 * </pre>
 *
 * <p>With a number of pages it takes that many at random, the same ones each time. Exits with 1 if
 * a page of which the extractor is sure differs. Memory: one batch of pages and their trees.
 */
final class HtmlSweep {
  private static final int BATCH = 256;
  private static final int SHOWN = 200;
  private static final FieldPlan FIELDS = FieldPlan.parse("title,contents,headings,anchors");

  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  private final Utf8Text input = new Utf8Text();
  private final HtmlExtractor extractor = new HtmlExtractor();
  private final HtmlExtractor watching = new HtmlExtractor(WatchedElements.flags(FIELDS));
  private final DocumentParser plain = new DocumentParser(HtmlMode.FAST);
  private final DocumentParser fast =
      new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, FIELDS);
  private final DocumentParser jsoup =
      new DocumentParser(HtmlMode.JSOUP, HeapGuard.UNLIMITED, FIELDS);
  private long pages;
  private long bytes;
  private long different;
  private long failed;
  private long fastNanos;
  private long watchingNanos;
  private long jsoupNanos;
  private long text;
  private long parts;

  private HtmlSweep() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(Path.of(arguments[0]))) {
      all.filter(Files::isRegularFile).filter(HtmlSweep::isPage).sorted().forEach(files::add);
    }
    if (arguments.length > 1) {
      Collections.shuffle(files, new Random(42));
      files = files.subList(0, Math.min(files.size(), Integer.parseInt(arguments[1])));
    }
    HtmlSweep sweep = new HtmlSweep();
    for (int from = 0; from < files.size(); from += BATCH) {
      sweep.batch(files.subList(from, Math.min(from + BATCH, files.size())));
    }
    sweep.report();
    if (sweep.different > 0) {
      System.exit(1);
    }
  }

  private static boolean isPage(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".html") || name.endsWith(".htm") || name.endsWith(".xhtml");
  }

  private void batch(List<Path> files) throws IOException, InterruptedException {
    List<byte[]> contents = new ArrayList<>();
    for (Path file : files) {
      contents.add(Files.readAllBytes(file));
    }
    long start = clock.getCurrentThreadCpuTime();
    for (byte[] content : contents) {
      text += read(content, extractor);
    }
    long between = clock.getCurrentThreadCpuTime();
    fastNanos += between - start;
    for (byte[] content : contents) {
      parts +=
          read(content, watching) > 0
              ? 0L + watching.headings().length + watching.anchors().length
              : 0;
    }
    watchingNanos += clock.getCurrentThreadCpuTime() - between;
    for (int i = 0; i < contents.size(); i++) {
      compare(files.get(i), contents.get(i));
    }
  }

  private int read(byte[] content, HtmlExtractor by) {
    input.set(content, content.length, true);
    by.extract(input);
    return by.contents().length;
  }

  private void compare(Path file, byte[] content) {
    pages++;
    bytes += content.length;
    RawDocument raw =
        new RawDocument("", file.toString(), ContentType.HTML, content, content.length, 0);
    try {
      long start = clock.getCurrentThreadCpuTime();
      ParsedDocument expected = jsoup.parse(raw);
      jsoupNanos += clock.getCurrentThreadCpuTime() - start;
      long fell = plain.counts().jsoup();
      ParsedDocument small = plain.parse(raw);
      if (plain.counts().jsoup() > fell) {
        System.out.println("unsure " + file);
      } else {
        compare(file, "title", expected.title(), small.title());
        compare(file, "contents", expected.contents(), small.contents());
      }
      fell = fast.counts().jsoup();
      ParsedDocument actual = fast.parse(raw);
      if (fast.counts().jsoup() > fell) {
        System.out.println("unsure with headings and links " + file);
      } else {
        for (String field : FIELDS.parts().keySet()) {
          compare(file, field, expected.text(field).string(), actual.text(field).string());
        }
      }
    } catch (MalformedDocumentException | InterruptedException e) {
      failed++;
      System.out.println("failed " + file + ": " + e.getMessage());
      e.printStackTrace(System.out);
    }
  }

  private void compare(Path file, String field, String expected, String actual) {
    if (!expected.equals(actual)) {
      different(file, field, expected, actual);
    }
  }

  private void different(Path file, String field, String expected, String actual) {
    different++;
    if (different <= SHOWN) {
      int at = 0;
      int least = Math.min(expected.length(), actual.length());
      while (at < least && expected.charAt(at) == actual.charAt(at)) {
        at++;
      }
      System.out.printf(
          "different %s: %s at %d%n  expected …%s%n  actual   …%s%n",
          file, field, at, excerpt(expected, at), excerpt(actual, at));
    }
  }

  private static String excerpt(String text, int at) {
    return text.substring(Math.max(at - 40, 0), Math.min(at + 40, text.length()));
  }

  private void report() {
    System.out.printf(
        "%d pages of %d bytes: %d different, %d failed%n", pages, bytes, different, failed);
    report("title and contents", plain.counts());
    report("headings and links, too", fast.counts());
    System.out.printf(
        "fast %.0f MB/s, with headings and links %.0f MB/s, jsoup %.1f MB/s; %d bytes of text, %d of them%n",
        bytes * 1e3 / fastNanos,
        bytes * 1e3 / watchingNanos,
        bytes * 1e3 / jsoupNanos,
        text,
        parts);
  }

  private static void report(String fields, HtmlCounts counts) {
    System.out.printf(
        "%s: %d sure, %d unsure %s%n", fields, counts.fast(), counts.jsoup(), counts.unsure());
  }
}
