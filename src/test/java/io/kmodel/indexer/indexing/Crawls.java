package io.kmodel.indexer.indexing;

import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Crawls on disk, written and read without the build. */
public final class Crawls {
  private Crawls() {}

  /** Writes a page for each document; title and contents are escaped. */
  public static void write(Path root, List<ParsedDocument> documents)
      throws IOException, InterruptedException {
    for (int i = 0; i < documents.size(); i++) {
      ParsedDocument document = documents.get(i);
      Path directory = Files.createDirectories(root.resolve("part-%02d".formatted(i / 50)));
      String html =
          "<!doctype html><html><head><meta charset=utf-8><title>%s</title></head><body><p>%s</p>"
              .formatted(escape(document.title()), escape(document.contents()));
      Files.writeString(directory.resolve("page-%06d.html".formatted(i)), html);
    }
  }

  /** What the parser makes of a crawl, in document order. */
  static List<ParsedDocument> read(Path root)
      throws IOException, MalformedDocumentException, InterruptedException {
    return read(root, FieldPlan.DEFAULT);
  }

  /** The same with other fields. */
  static List<ParsedDocument> read(Path root, FieldPlan plan)
      throws IOException, MalformedDocumentException, InterruptedException {
    List<ParsedDocument> documents = new ArrayList<>();
    DocumentParser parser = new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, plan);
    for (Split split :
        Crawl.open(List.of(root), 64 << 20, SkipListener.NONE).splits(Long.MAX_VALUE)) {
      try (DocumentReader reader = split.open(SkipListener.NONE)) {
        for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
          documents.add(parser.parse(raw).copy());
        }
      }
    }
    return documents;
  }

  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    for (char c : SampleDocuments.wellFormed(text).toCharArray()) {
      if (c == '<' || c == '&') {
        escaped.append("&#").append((int) c).append(';');
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
