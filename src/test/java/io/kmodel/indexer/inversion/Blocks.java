package io.kmodel.indexer.inversion;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Blocks of text for tests, and what is inverted of them. */
final class Blocks {
  private Blocks() {}

  /** Tokenized fields f0, f1 and so on. */
  static Schema schema(int fields) {
    ImmutableList.Builder<Field> all = ImmutableList.builder();
    for (int i = 0; i < fields; i++) {
      all.add(new Field("f" + i, Detail.POSITIONS, true, false));
    }
    return new Schema(all.build());
  }

  static InvertedFields fields(int fields) {
    return new InvertedFields(
        IntStream.range(0, fields).boxed().collect(ImmutableList.toImmutableList()),
        ImmutableSet.of());
  }

  /** The same, of which every second one is English. */
  static InvertedFields english(int fields) {
    return new InvertedFields(
        fields(fields).ordinals(),
        IntStream.range(0, fields)
            .filter(field -> field % 2 == 0)
            .boxed()
            .collect(ImmutableSet.toImmutableSet()));
  }

  /** A stage for these fields on the devices of a driver. */
  static InversionStage stage(
      StubDriver driver, InvertedFields fields, int blockBytes, ListForm form, Duration patience) {
    return new InversionStage(
        driver::probe,
        StubDriver.image(),
        schema(fields.size()),
        fields,
        blockBytes,
        form,
        patience);
  }

  /** Fills a block with documents, each of which has as many texts as there are fields. */
  static void fill(TextBlock block, List<List<String>> documents) {
    PlainText plain = new PlainText(block);
    for (List<String> document : documents) {
      for (String text : document) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        block.startPart();
        plain.append(utf8, 0, utf8.length);
        block.endPart();
      }
      if (!block.fits()) {
        throw new AssertionError("the block is too small");
      }
      block.finishDocument();
    }
  }

  /** The words of each part in order, by way of the postings. */
  static List<List<String>> words(TextBlock block, Schema schema, InvertedText text)
      throws IOException {
    List<List<String>> words = new ArrayList<>();
    for (int part = 0; part < block.partCount(); part++) {
      int length = text.length(part % block.fields(), part / block.fields());
      words.add(new ArrayList<>(Collections.nCopies(length, "")));
    }
    forEachToken(
        schema,
        text,
        (field, term, doc, position) -> {
          if (!words.get(doc * block.fields() + field).set(position, term).isEmpty()) {
            throw new AssertionError("two words at position " + position);
          }
        });
    return words;
  }

  /** All tokens in the order of the lists, and the lengths of all parts. */
  static List<String> tokens(TextBlock block, Schema schema, InvertedText text) throws IOException {
    List<String> tokens = new ArrayList<>();
    forEachToken(
        schema,
        text,
        (field, term, doc, position) -> tokens.add(field + term + " " + doc + ":" + position));
    for (int part = 0; part < block.partCount(); part++) {
      tokens.add("" + text.length(part % block.fields(), part / block.fields()));
    }
    return tokens;
  }

  @FunctionalInterface
  private interface TokenSink {
    void token(int field, String term, int doc, int position);
  }

  private static void forEachToken(Schema schema, InvertedText text, TokenSink sink)
      throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] gaps = new int[PostingsCursor.BLOCK];
    try (PostingsCursor cursor = text.cursor(schema)) {
      while (cursor.nextTerm()) {
        int field = cursor.term()[0];
        String term = new String(cursor.term(), 1, cursor.termLength() - 1, StandardCharsets.UTF_8);
        for (int n = cursor.nextDocs(docs, freqs); n > 0; n = cursor.nextDocs(docs, freqs)) {
          int at = 0;
          int left = 0;
          for (int doc = 0; doc < n; doc++) {
            int position = 0;
            for (int i = 0; i < freqs[doc]; i++) {
              if (left == 0) {
                left = cursor.nextPositions(gaps);
                at = 0;
              }
              position += gaps[at++];
              left--;
              sink.token(field, term, docs[doc], position);
            }
          }
        }
      }
    }
  }
}
