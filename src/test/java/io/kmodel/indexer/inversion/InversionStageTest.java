package io.kmodel.indexer.inversion;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.sort.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Blocks inverted on a stub driver are those that the CPU inverts, whatever fails. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(300)
class InversionStageTest {
  /** With documents without text, some of which have two letters. */
  @Test
  void theCpuInvertsManyDocumentsWithHardlyAnyText() throws Exception {
    Schema schema = Blocks.schema(1);
    for (int every : new int[] {0, 20}) {
      List<List<String>> documents = new ArrayList<>();
      for (int doc = 0; doc < 30_000; doc++) {
        documents.add(List.of(every > 0 && doc % every == 0 ? "ab" : ""));
      }
      try (TextBlock block = new TextBlock(1, 1 << 21, ListForm.KEYS)) {
        Blocks.fill(block, documents);
        try (InvertedText text = PlainInversion.invert(block, schema, Blocks.fields(1))) {
          assertThat(text.tokens()).isEqualTo(every == 0 ? 0 : 30_000 / every);
        }
      }
    }
  }

  /** The device has room for smaller blocks than were asked for. */
  @Test
  void blocksAreSmallerForADeviceWithLittleMemory() throws Exception {
    driver.reset(1, 1L << 30);
    try (InversionStage stage = stage(1, 1 << 27, PATIENCE)) {
      while (stage.blockBytes() == 1 << 27) {
        Thread.sleep(1);
      }
      assertThat(stage.blockBytes()).isEqualTo(1 << 25);
    }
  }

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final StubDriver driver;

  InversionStageTest(StubDriver driver) {
    this.driver = driver;
  }

  private InversionStage stage(int fields, int blockBytes, Duration patience) {
    return Blocks.stage(driver, Blocks.fields(fields), blockBytes, ListForm.KEYS, patience);
  }

  private static List<List<String>> documents(int fields, int count, int words, int vocabulary) {
    return documents(
        fields,
        count,
        words,
        new Random(7),
        (random, text) -> {
          int number = random.nextInt(1 + random.nextInt(vocabulary));
          text.append(number % 7 == 0 ? "Internationalization" : "caf\u00E9").append(number);
          text.append(" .,_'".charAt(random.nextInt(5))).append(' ');
        });
  }

  /** Texts of up to so many words, which are appended one by one. */
  private static List<List<String>> documents(
      int fields, int count, int words, Random random, BiConsumer<Random, StringBuilder> word) {
    List<List<String>> documents = new ArrayList<>();
    for (int doc = 0; doc < count; doc++) {
      List<String> texts = new ArrayList<>();
      for (int field = 0; field < fields; field++) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(words); left > 0; left--) {
          word.accept(random, text);
        }
        texts.add(text.toString());
      }
      documents.add(texts);
    }
    return documents;
  }

  private void assertSame(InversionStage stage, TextBlock block, int fields) throws Exception {
    Schema schema = Blocks.schema(fields);
    try (InvertedText actual = stage.invert(block);
        InvertedText expected = PlainInversion.invert(block, schema, Blocks.fields(fields))) {
      assertThat(actual.tokens()).isEqualTo(expected.tokens());
      assertThat(Blocks.words(block, schema, actual))
          .isEqualTo(Blocks.words(block, schema, expected));
    }
  }

  private static List<List<String>> english(int fields, int count, int words) {
    List<String> some =
        Splitter.on(' ')
            .splitToList(
                "the of and connect connected connection connections The AND dog's dogs dog it's a"
                    + " relational relate caf\u00E9 x_y 2026 internationalization"
                    + " internationalized internationalizations notthestop");
    return documents(
        fields,
        count,
        words,
        new Random(11),
        (random, text) -> {
          text.append(some.get(random.nextInt(some.size()))).append(' ');
          if (random.nextInt(3) == 0) {
            text.append("generalization").append(random.nextInt(500)).append("s ");
          }
        });
  }

  /** Every second field is English, so words and stems are in one dictionary. */
  @Test
  void stemsOfTheDictionaryAreThoseOfTheText() throws Exception {
    for (int fields : new int[] {1, 3}) {
      Schema schema = Blocks.schema(fields);
      InvertedFields english = Blocks.english(fields);
      try (InversionStage stage = Blocks.stage(driver, english, 1 << 17, ListForm.KEYS, PATIENCE)) {
        TextBlock block = stage.newBlock();
        for (List<List<String>> documents :
            List.of(
                english(fields, 90 / fields, 60),
                Collections.nCopies(2, Collections.nCopies(fields, "the of and")),
                Collections.nCopies(2, Collections.nCopies(fields, "connecting")))) {
          block.clear();
          Blocks.fill(block, documents);
          try (InvertedText actual = stage.invert(block);
              InvertedText expected = PlainInversion.invert(block, schema, english)) {
            assertThat(Blocks.tokens(block, schema, actual))
                .isEqualTo(Blocks.tokens(block, schema, expected));
            assertThat(actual.byDevice()).isTrue();
          }
        }
        assertThat(stage.report().cpuReasons()).isEmpty();
        block.close();
      }
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void theCpuInvertsALargeBlockInPieces() throws Exception {
    Schema schema = Blocks.schema(2);
    try (TextBlock block = new TextBlock(2, 1 << 17, ListForm.KEYS)) {
      Blocks.fill(block, documents(2, 40, 60, 300));
      try (InvertedText whole = PlainInversion.invert(block, schema, Blocks.fields(2))) {
        for (int bytes : new int[] {1, 5000}) {
          try (InvertedText pieces =
              PlainInversion.inPieces(block, schema, Blocks.fields(2), bytes)) {
            assertThat(pieces.tokens()).isEqualTo(whole.tokens());
            assertThat(Blocks.words(block, schema, pieces))
                .isEqualTo(Blocks.words(block, schema, whole));
          }
        }
      }
    }
  }

  /** Another thread may still be opening devices. */
  private static void awaitGivenUp(InversionStage stage) throws InterruptedException {
    while (!stage.isGivenUp()) {
      Thread.sleep(1);
    }
  }

  private static long blocks(InversionStage stage) {
    return stage.report().devices().stream().mapToLong(SortReport.Device::runs).sum();
  }

  @Test
  void aBlockIsThatOfTheCpuForEveryNumberOfFields() throws Exception {
    for (int fields : new int[] {1, 2, InvertedFields.MOST}) {
      try (InversionStage stage = stage(fields, 1 << 17, PATIENCE)) {
        TextBlock block = stage.newBlock();
        for (int documents : new int[] {60 / fields, 1, 0}) {
          block.clear();
          Blocks.fill(block, documents(fields, documents, Tier.pick(60, 90), 300));
          assertSame(stage, block, fields);
        }
        assertThat(blocks(stage)).isEqualTo(2);
        assertThat(stage.report().cpuReasons()).isEmpty();
        block.close();
      }
    }
    assertThat(driver.kept()).isZero();
  }

  /** All terms differ, so the table of the estimated size is full. */
  @Test
  void aTableThatIsFullGrows() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2500; i++) {
      text.append(Integer.toString(i, 36)).append(' ');
    }
    try (InversionStage stage = stage(1, 1 << 15, PATIENCE)) {
      TextBlock block = stage.newBlock();
      Blocks.fill(block, List.of(List.of(text.toString())));
      assertSame(stage, block, 1);
      assertThat(blocks(stage)).isEqualTo(1);
      assertThat(driver.calls("cuMemAlloc")).isGreaterThan(1);
      block.close();
    }
  }

  @Test
  void whatADeviceFailsToDoTheCpuDoes() throws Exception {
    String[] calls = {"cuLaunchKernel", "cuMemAlloc", "cuMemcpyDtoHAsync", "cuMemHostRegister"};
    for (String call : calls) {
      driver.reset(1, 512 << 20);
      try (InversionStage stage = stage(1, 1 << 15, PATIENCE)) {
        TextBlock block = stage.newBlock();
        Blocks.fill(block, documents(1, 5, 30, 50));
        int code = call.equals("cuMemAlloc") ? StubDriver.OUT_OF_MEMORY : StubDriver.LAUNCH_FAILED;
        driver.fail(call, 1, 1, code);
        assertSame(stage, block, 1);
        assertThat(stage.report().cpuRuns()).as(call).isEqualTo(1);
        assertThat(stage.report().cpuReasons().keySet()).allMatch(why -> why.contains(call));
        assertSame(stage, block, 1);
        assertThat(blocks(stage)).as(call).isEqualTo(1);
        block.close();
      }
      assertThat(driver.kept()).as(call).isZero();
    }
  }

  @Test
  void aDeviceThatFailsThreeTimesInARowIsGivenUp() throws Exception {
    try (InversionStage stage = stage(1, 1 << 15, PATIENCE)) {
      TextBlock block = stage.newBlock();
      Blocks.fill(block, documents(1, 3, 30, 50));
      driver.fail("cuLaunchKernel", 1, 1000, StubDriver.LAUNCH_FAILED);
      for (int i = 0; i < 4; i++) {
        assertThat(i < 3 && stage.isGivenUp()).isFalse();
        assertSame(stage, block, 1);
      }
      awaitGivenUp(stage);
      assertThat(stage.report().cpuRuns()).isEqualTo(4);
      block.close();
    }
  }

  @Test
  void aDeviceThatDoesNotAnswerIsGivenUp() throws Exception {
    InversionStage stage = stage(1, 1 << 15, Duration.ofMillis(50));
    TextBlock block = stage.newBlock();
    Blocks.fill(block, documents(1, 3, 30, 50));
    driver.hang(2);
    assertSame(stage, block, 1);
    awaitGivenUp(stage);
    assertThat(stage.report().cpuReasons().keySet())
        .allMatch(why -> why.contains("did not answer"));
    block.close();
    stage.close();
    assertThat(driver.calls("cuMemHostUnregister")).isZero();
  }

  /** After such an error every call fails, those that free memory, too. */
  @Test
  void aDeviceWhoseContextIsDeadSpoilsNothing() throws Exception {
    InversionStage stage = stage(1, 1 << 15, PATIENCE);
    TextBlock block = stage.newBlock();
    Blocks.fill(block, documents(1, 3, 30, 50));
    assertSame(stage, block, 1);
    for (String call :
        List.of("cuLaunchKernel", "cuStreamQuery", "cuMemHostUnregister", "cuMemFree")) {
      driver.fail(call, 1, 1000, StubDriver.LAUNCH_FAILED);
    }
    for (int i = 0; i < 4; i++) {
      assertSame(stage, block, 1);
    }
    awaitGivenUp(stage);
    block.close();
    stage.close();
  }

  @Test
  void aDeviceWithTooLittleMemoryIsLeftOut() throws Exception {
    driver.reset(2, 512 << 20);
    driver.fail("cuMemGetInfo", 1, 1, StubDriver.OUT_OF_MEMORY);
    try (InversionStage stage = stage(1, 1 << 15, PATIENCE)) {
      TextBlock block = stage.newBlock();
      Blocks.fill(block, documents(1, 3, 30, 50));
      assertSame(stage, block, 1);
      assertThat(stage.report().devices()).hasSize(1);
      assertThat(stage.report().whyUnused()).singleElement().asString().contains("cannot be used");
      block.close();
    }
    assertThat(driver.kept()).isZero();
  }

  /** Positions beyond what a usual run of the CPU holds, and terms that fill the table. */
  @Test
  void aBlockOfOneLargeTextIsThatOfTheCpuWhoeverInvertsIt() throws Exception {
    int words = Tier.pick(3000, 1_200_000);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(
          i % 3 == 0 ? "x" : i % 3 == 1 ? Integer.toString(i, 36) : "an-unusual-word" + i % 5);
      text.append(' ');
    }
    try (InversionStage stage = stage(1, 12 * words, PATIENCE)) {
      TextBlock block = stage.newBlock();
      Blocks.fill(block, List.of(List.of(""), List.of(text.toString()), List.of("y")));
      assertSame(stage, block, 1);
      assertThat(blocks(stage)).isEqualTo(1);
      block.close();
    }
  }

  @Test
  void aTableThatIsFullOfLongTermsGrowsTwice() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2500; i++) {
      text.append("internationalization").append(Integer.toString(i, 36)).append(' ');
    }
    try (InversionStage stage = stage(1, 1 << 16, PATIENCE)) {
      TextBlock block = stage.newBlock();
      Blocks.fill(block, List.of(List.of(text + text.substring(0, 500))));
      assertSame(stage, block, 1);
      assertThat(blocks(stage)).isEqualTo(1);
      block.close();
    }
    assertThat(driver.kept()).isZero();
  }

  /** Each word of the keys, records and lengths changed in its lowest bit, and in a high one. */
  @Test
  void everyChangeOfKeysAndListsIsNoticed() throws Exception {
    try (InversionStage stage = stage(1, 1 << 15, PATIENCE)) {
      TextBlock block = stage.newBlock();
      // No two terms with the same first bytes, which a check puts in order.
      Blocks.fill(
          block, List.of(List.of("to be or not to be"), List.of("internationalization be")));
      DeviceText text = (DeviceText) stage.invert(block);
      assertThat(text.check()).isEmpty();
      assertNoticed(text, text.keys(), 0, Long.BYTES, 0, 20);
      assertNoticed(text, text.keys(), 4, Long.BYTES, 0, 30);
      for (int at : new int[] {16, 20}) {
        assertNoticed(text, text.records(), at, DeviceBlock.TERM_BYTES, 0, 30);
      }
      assertNoticed(text, text.records(), 28, DeviceBlock.TERM_BYTES, 30, 31);
      assertNoticed(text, text.lengths(), 0, Integer.BYTES, 0, 20);
      assertThat(text.check()).isEmpty();
      block.close();
    }
  }

  private static void assertNoticed(
      DeviceText text, MemorySegment memory, long first, long step, int... bits) {
    for (long at = first; at < memory.byteSize(); at += step) {
      for (int bit : bits) {
        int before = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, before ^ (1 << bit));
        assertThat(text.check()).as("bit %d at %d", bit, at).isNotEmpty();
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, before);
      }
    }
  }

  @Test
  void whatComesBackDamagedIsNotTaken() throws Exception {
    Schema schema = Blocks.schema(1);
    for (InvertedFields fields : List.of(Blocks.fields(1), Blocks.english(1))) {
      for (ListForm form : ListForm.values()) {
        driver.reset(1, 512L << 20);
        try (InversionStage stage = Blocks.stage(driver, fields, 1 << 15, form, PATIENCE)) {
          TextBlock block = stage.newBlock();
          Blocks.fill(block, english(1, 5, 30));
          driver.damage();
          try (InvertedText actual = stage.invert(block);
              InvertedText expected = PlainInversion.invert(block, schema, fields)) {
            assertThat(actual.byDevice()).isFalse();
            assertThat(Blocks.tokens(block, schema, actual))
                .isEqualTo(Blocks.tokens(block, schema, expected));
          }
          assertThat(stage.report().cpuRuns()).isEqualTo(1);
          block.close();
        }
      }
    }
  }
}
