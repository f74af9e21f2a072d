package io.kmodel.indexer.source.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SparseVector;
import io.kmodel.indexer.source.WeightScale;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.record.DamagedRecordException;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors are read from bytes as Jackson reads them, and what cannot be kept is named. */
class VectorScannerTest {
  private static final UnusedMembers NONE = new UnusedMembers(List.of());

  private static final List<String> TERMS =
      List.of(
          "a",
          "##ing",
          "two words",
          "caf\u00E9 \uD83D\uDE00",
          "\\\"",
          "\\u00e9\\ud83d\\ude00",
          "half \\ud83d",
          "",
          "a\tb",
          "a term of more than sixteen bytes");
  private static final List<String> WEIGHTS =
      List.of(
          "1",
          "255",
          "0",
          "17",
          "1048575",
          "1048576",
          "-3",
          "007",
          "0.5",
          "12.0",
          "1e2",
          "1.5E-3",
          "0.10000000149011612",
          "0.69314718246459960937500",
          "99999999999999999999",
          "1.",
          "-0.0",
          ".5",
          "1e",
          "\"7\"",
          "null",
          "[1]",
          "{\"a\":1}",
          "NaN",
          "true");

  private static String vector(Random random) {
    StringBuilder vector = new StringBuilder("{");
    String blank = random.nextInt(4) == 0 ? " \t\r\n".substring(random.nextInt(4)) : "";
    int terms = random.nextInt(6);
    for (int i = 0; i < terms; i++) {
      vector.append(i == 0 ? blank : blank + "," + blank);
      vector.append('"').append(TERMS.get(random.nextInt(TERMS.size()))).append('"');
      // Usual weights more often, so that many vectors are read.
      int weight = random.nextInt(4) == 0 ? random.nextInt(WEIGHTS.size()) : random.nextInt(4);
      vector.append(blank).append(':').append(blank).append(WEIGHTS.get(weight));
    }
    return vector.append(blank).append('}').toString();
  }

  private static String object(Random random) {
    StringJoiner members = new StringJoiner(",", "{", "}");
    members.add("\"id\":\"d\\u0031\"");
    for (int i = random.nextInt(10) == 0 ? random.nextInt(3) : 1; i > 0; i--) {
      members.add("\"vector\":" + (random.nextInt(20) == 0 ? "7" : vector(random)));
    }
    if (random.nextBoolean()) {
      members.add("\"contents\":\"a \\\"text\\\"\"");
    }
    return members.toString();
  }

  private static String described(TextRecord record) {
    SparseVector vector = Objects.requireNonNull(record.vector);
    StringBuilder all = new StringBuilder(record.id).append('|');
    all.append(new String(record.bytes, record.from, record.to - record.from, UTF_8)).append('|');
    for (int i = 0; i < vector.size(); i++) {
      all.append(new String(vector.bytes(i), vector.start(i), vector.length(i), UTF_8))
          .append('=')
          .append(vector.weight(i))
          .append(';');
    }
    return all.toString();
  }

  private static String byJackson(WeightScale scale, byte[] bytes) {
    try {
      TextRecord record =
          JsonDocument.byJackson(Docno.TREC_ID, JsonMembers.USUAL, scale, NONE)
              .parse(bytes, bytes.length);
      return described(Objects.requireNonNull(record));
    } catch (DamagedRecordException e) {
      return "damaged";
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 7})
  void randomVectors(int bits) {
    WeightScale scale = new WeightScale(bits);
    Random random = new Random(55);
    ObjectScanner scanner = new ObjectScanner(Docno.TREC_ID, scale, NONE);
    int read = 0;
    int objects = Tier.pick(4000, 200_000);
    for (int i = 0; i < objects; i++) {
      String object = object(random);
      byte[] bytes = object.getBytes(UTF_8);
      for (int damage = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0; damage > 0; damage--) {
        bytes[random.nextInt(bytes.length)] =
            (byte) "\"\\{}:,.0e-\u0001x\u00FF7".charAt(random.nextInt(14));
      }
      TextRecord record = scanner.read(bytes, bytes.length);
      if (record != null) {
        read++;
        assertThat(described(record))
            .as("%s", new String(bytes, UTF_8))
            .isEqualTo(byJackson(scale, bytes));
      }
    }
    assertThat(read).isGreaterThan(objects / 5).isLessThan(objects);
  }

  /** These are the usual ones; if the scanner left them to Jackson, nobody would notice. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-1|{\"id\": 7, \"contents\": \"x\", \"vector\": {\"a\": 3, \"##b\": 255, \"\\u00e9\": 1}}",
        "-1|{\"id\":\"d\",\"vector\":{}}",
        "7|{\"id\":\"d\",\"vector\":{\"a\":0.10000000149011612,\"b\":2,\"c\":9.5e-05}}"
      })
  void usualVectorsAreReadByTheScanner(int bits, String object) {
    WeightScale scale = new WeightScale(bits);
    byte[] bytes = object.getBytes(UTF_8);
    TextRecord record = new ObjectScanner(Docno.TREC_ID, scale, NONE).read(bytes, bytes.length);
    assertThat(record).isNotNull();
    assertThat(described(record)).isEqualTo(byJackson(scale, bytes));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\":\"d\",\"vector\":{\"x\":-3}}|the weight -3 of term 'x' is negative or not a number",
        "{\"id\":\"d\",\"vector\":{\"x\":0.5}}|the weight 0.5 of term 'x' is not a whole number; use --quantize BITS",
        "{\"id\":\"d\",\"vector\":{\"x\":1048576}}|the weight 1048576 of term 'x' is above the limit of 1048575",
        "{\"id\":\"d\",\"vector\":{\"x\":\"7\"}}|the weight of term 'x' is not a number",
        "{\"id\":\"d\",\"vector\":[1]}|member 'vector' is not an object of terms and weights",
        "{\"id\":\"d\",\"contents\":\"x\"}|record has no vector; expected the member 'vector'",
        "{\"vector\":{\"x\":1}}|record has no id; expected one of [id, _id,"
      })
  void whatCannotBeKeptIsNamed(String object, String problem) {
    byte[] bytes = object.getBytes(UTF_8);
    TextRecord.Parser parser =
        JsonDocument.parser(Docno.TREC_ID, JsonMembers.USUAL, WeightScale.NONE, NONE);
    assertThatThrownBy(() -> parser.parse(bytes, bytes.length))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageStartingWith(problem);
  }

  /** Published vectors often have an empty text. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"d\",\"vector\":{\"x\":1}}",
        "{\"id\":\"d\",\"contents\":\"\",\"vector\":{\"x\":1}}"
      })
  void aTextIsMissedWithAHintWhereThereIsAVector(String object) {
    byte[] bytes = object.getBytes(UTF_8);
    TextRecord.Parser parser = JsonDocument.parser(Docno.TREC_ID, JsonMembers.USUAL);
    assertThatThrownBy(() -> parser.parse(bytes, bytes.length))
        .hasMessage("record has no text, but a vector; vectors need --format vectors");
  }

  /** w × 2^bits, rounded to the nearest; what exceeds a key's room is refused, not clamped. */
  @Test
  void weightsAreFixedPointNumbers() {
    WeightScale seven = new WeightScale(7);
    assertThat(seven.weight(1)).isEqualTo(128);
    assertThat(seven.weight(0.00390625)).isEqualTo(1); // half of the last digit rounds up
    assertThat(seven.weight(0.0039)).isZero();
    assertThat(new WeightScale(0).weight(2.5)).isEqualTo(3);
    assertThat(seven.weight(SparseVector.MAX_WEIGHT / 128.0)).isEqualTo(SparseVector.MAX_WEIGHT);
    assertThatThrownBy(() -> seven.weight(8192))
        .hasMessage("is above the limit of 1048575; use fewer bits of --quantize");
    assertThatThrownBy(() -> seven.weight(Double.NaN)).hasMessageContaining("not a number");
    assertThatThrownBy(() -> new WeightScale(17)).hasMessageContaining("0 to 16 bits; got 17");
  }
}
