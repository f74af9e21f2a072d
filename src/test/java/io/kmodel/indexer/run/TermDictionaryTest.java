package io.kmodel.indexer.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.store.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TermDictionaryTest {
  private static final long SEED = 42;

  private final Arena arena = Arena.ofShared();
  private final AtomicLong newSeeds = new AtomicLong();

  @AfterEach
  void free() {
    arena.close();
  }

  @Test
  void termIdsAreDenseAndInFirstSeenOrder() {
    TermDictionary dictionary = dictionary(1 << 16);
    assertThat(intern(dictionary, 0, "b")).isEqualTo(0);
    assertThat(intern(dictionary, 0, "a")).isEqualTo(1);
    assertThat(intern(dictionary, 0, "b")).isEqualTo(0);
    assertThat(intern(dictionary, 1, "b")).isEqualTo(2);
    assertThat(intern(dictionary, 255, "b")).isEqualTo(3);
    assertThat(intern(dictionary, 0, "")).isEqualTo(4);
    assertThat(intern(dictionary, 255, "b")).isEqualTo(3);
    assertThat(intern(dictionary, 0, "")).isEqualTo(4);
    assertThat(dictionary.size()).isEqualTo(5);
    assertThat(keys(dictionary)).containsExactly("0:b", "0:a", "1:b", "255:b", "0:");
  }

  @Test
  void termsThatDifferInLengthOrInOneByteAreDifferent() {
    TermDictionary dictionary = dictionary(1 << 20);
    int terms = internAll(dictionary, 0);
    assertThat(dictionary.size()).isEqualTo(terms);
    assertThat(internAll(dictionary, 60)).as("the same").isEqualTo(terms);
    assertThat(dictionary.size()).isEqualTo(terms);
  }

  /** Interns terms with other bytes after them; they get the IDs from 0 on. */
  private static int internAll(TermDictionary dictionary, int behind) {
    int expected = 0;
    for (int length = 0; length < 40; length++) {
      byte[] term = new byte[length + behind];
      Arrays.fill(term, length, term.length, (byte) 7);
      assertThat(dictionary.intern(3, term, 0, length)).isEqualTo(expected++);
      for (int i = 0; i < length; i++) {
        term[i] = (byte) 0x80;
        assertThat(dictionary.intern(3, term, 0, length)).isEqualTo(expected++);
        term[i] = 0;
      }
    }
    return expected;
  }

  @Test
  void aTermIsTheSameWhereverItLiesInItsArray() {
    TermDictionary dictionary = dictionary(1 << 16);
    byte[] text = "word".repeat(20).getBytes(UTF_8);
    for (int length = 0; length <= 48; length++) {
      int id = dictionary.intern(0, text, 0, length);
      assertThat(dictionary.intern(0, text, 4, length)).isEqualTo(id);
      assertThat(dictionary.intern(0, text, 8, length)).isEqualTo(id);
      int last = (text.length - length) / 4 * 4;
      assertThat(dictionary.intern(0, text, last, length)).isEqualTo(id);
      assertThat(dictionary.intern(0, Arrays.copyOf(text, length), 0, length)).isEqualTo(id);
    }
    assertThat(dictionary.size()).isEqualTo(49);
  }

  @Test
  void randomTermsGetTheIdsThatAMapWouldGive() {
    TermDictionary dictionary = dictionary(16 << 20);
    SplittableRandom random = new SplittableRandom(SEED);
    Map<String, Integer> expected = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      String term =
          "abcdefghijklmnopqrstuvwxyzabcdef".substring(random.nextInt(33))
              + Long.toString(random.nextLong(1L << (1 + random.nextInt(40))), 36);
      int field = random.nextInt(3);
      int id = expected.computeIfAbsent(field + ":" + term, key -> expected.size());
      assertThat(intern(dictionary, field, term)).isEqualTo(id);
      // With other bytes after it.
      byte[] text = (term + "and what follows it in the text of a page").getBytes(UTF_8);
      assertThat(dictionary.intern(field, text, 0, term.length())).isEqualTo(id);
    }
    assertThat(dictionary.size()).isEqualTo(expected.size());
    assertThat(newSeeds.get()).as("natural terms ask for no other seed").isZero();
    int id = 0;
    for (String key : keys(dictionary)) {
      assertThat(expected.get(key)).isEqualTo(id++);
    }
  }

  /** So many terms that some have equal tags at the same slot. */
  @Test
  void manyTermsThatDifferInOneOfTheirWordsOfEightBytesAreDifferent() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int word = 0; word < 6; word++) {
      TermDictionary dictionary = dictionary(16 << 20);
      byte[] term = new byte[8 * word + 8];
      for (int i = 0; i < 100_000; i++) {
        LittleEndian.putLong(term, 8 * word, random.nextLong());
        // A whole word, or a part padded with zeros.
        int length = term.length - i % 2;
        assertThat(dictionary.intern(0, Arrays.copyOf(term, 64), 0, length)).isEqualTo(i);
      }
    }
  }

  @Test
  void termsCraftedToCollideChangeTheSeedAndNothingElse() {
    for (String rest :
        List.of(
            "",
            "of 17 to 24 bytes",
            "of 25 to 32 bytes, which is longer",
            "and what is longer than any of these words")) {
      assertOneOtherSeed(collidingTerms(600, rest));
    }
  }

  private void assertOneOtherSeed(List<byte[]> crafted) {
    TermDictionary dictionary = dictionary(1 << 20);
    newSeeds.set(0);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < crafted.size(); i++) {
        byte[] term = crafted.get(i);
        assertThat(dictionary.intern(0, term, 0, term.length)).isEqualTo(i);
      }
    }
    assertThat(newSeeds.get()).isEqualTo(1);
  }

  @Test
  void aLongTermIsKeptAndOneOverTheLimitIsNot() {
    TermDictionary dictionary = dictionary(32 << 20);
    byte[] term = new byte[TermDictionary.MAX_TERM_BYTES + 1];
    Arrays.fill(term, (byte) 'x');
    assertThat(dictionary.intern(0, term, 0, 32 << 10)).isEqualTo(0);
    assertThat(dictionary.intern(0, term, 1, 32 << 10)).isEqualTo(0);
    assertThat(dictionary.intern(0, term, 0, (32 << 10) - 1)).isEqualTo(1);
    assertThat(dictionary.intern(0, term, 0, term.length)).isEqualTo(TermDictionary.FULL);
    assertThat(dictionary.intern(0, term, 0, term.length - 1)).isEqualTo(2);
    assertThat(dictionary.size()).isEqualTo(3);
  }

  @Test
  void aFullDictionaryStillKnowsItsTermsAndStaysInItsMemory() {
    for (long bytes = TermDictionary.MIN_BYTES; bytes < 3 * TermDictionary.MIN_BYTES; bytes += 8) {
      MemorySegment memory = OffHeap.allocate(bytes + 64, arena);
      memory.fill((byte) 0x55);
      TermDictionary dictionary = dictionary(memory.asSlice(0, bytes), Long.MAX_VALUE);
      int terms = 0;
      while (intern(dictionary, 0, "a term of some length " + terms) == terms) {
        terms++;
      }
      assertThat(intern(dictionary, 0, "another")).isIn(terms, TermDictionary.FULL);
      assertThat(terms).isGreaterThan(20);
      for (int i = 0; i < terms; i++) {
        assertThat(intern(dictionary, 0, "a term of some length " + i)).isEqualTo(i);
      }
      for (long i = bytes; i < bytes + 64; i += 8) {
        assertThat(OffHeap.getLong(memory.address() + i)).isEqualTo(0x5555555555555555L);
      }
    }
  }

  @Test
  void theNumberOfTermsCanBeLimited() {
    TermDictionary dictionary = dictionary(OffHeap.allocate(1 << 16, arena), 2);
    assertThat(intern(dictionary, 0, "a")).isEqualTo(0);
    assertThat(intern(dictionary, 0, "b")).isEqualTo(1);
    assertThat(intern(dictionary, 0, "c")).isEqualTo(TermDictionary.FULL);
    assertThat(intern(dictionary, 0, "b")).isEqualTo(1);
  }

  @Test
  void aClearedDictionaryBeginsAnew() {
    TermDictionary dictionary = dictionary(4 << 20);
    for (int i = 0; i < 20_000; i++) {
      assertThat(intern(dictionary, 0, "t" + i)).isEqualTo(i);
    }
    dictionary.clear();
    assertThat(dictionary.size()).isZero();
    for (int i = 0; i < 20_000; i++) {
      assertThat(intern(dictionary, 0, "t" + (i + 10_000))).isEqualTo(i);
    }
  }

  /** If the hash combined two word hashes, equal words would cancel out for any seed. */
  @Test
  void termsOfComplementsAndOfEqualHalvesAreAsGoodAsOthers() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (long flip : new long[] {-1, 0, 1, Long.MIN_VALUE}) {
      TermDictionary dictionary = dictionary(4 << 20);
      newSeeds.set(0);
      byte[] term = new byte[32];
      for (int i = 0; i < 5000; i++) {
        for (int at = 0; at < 16; at += 8) {
          long word = random.nextLong();
          LittleEndian.putLong(term, at, word);
          LittleEndian.putLong(term, at + 16, word ^ flip);
        }
        assertThat(dictionary.intern(0, term, 0, 32)).isEqualTo(i);
      }
      assertThat(newSeeds.get()).isZero();
    }
  }

  /** Terms with the same home slot in a table of 2^12 slots. */
  private static List<byte[]> collidingTerms(int count, String rest) {
    List<byte[]> terms = new ArrayList<>();
    for (long i = 0; terms.size() < count; i++) {
      byte[] term = (Long.toString(i, 36) + rest).getBytes(UTF_8);
      if (TermDictionary.hash(TermDictionary.DEFAULT_SEED, 0, term, 0, term.length) >>> 20
          == 0x123) {
        terms.add(term);
      }
    }
    return terms;
  }

  private TermDictionary dictionary(long bytes) {
    return dictionary(OffHeap.allocate(bytes, arena), Long.MAX_VALUE);
  }

  private TermDictionary dictionary(MemorySegment memory, long maxTerms) {
    return new TermDictionary(memory, maxTerms, newSeeds::incrementAndGet);
  }

  /** In an array that ends with the term, and in one with more bytes. */
  private static int intern(TermDictionary dictionary, int field, String term) {
    byte[] bytes = ("<" + term).getBytes(UTF_8);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 16);
    Arrays.fill(longer, bytes.length, longer.length, (byte) term.hashCode());
    int length = bytes.length - 1;
    boolean exactFirst = term.length() % 2 == 0;
    int id = dictionary.intern(field, exactFirst ? bytes : longer, 1, length);
    assertThat(dictionary.intern(field, exactFirst ? longer : bytes, 1, length)).isEqualTo(id);
    return id;
  }

  private static List<String> keys(TermDictionary dictionary) {
    List<String> keys = new ArrayList<>();
    long word = dictionary.firstWord();
    for (int id = 0; id < dictionary.size(); id++) {
      assertThat(dictionary.termId(word)).isEqualTo(id);
      int length = dictionary.keyLength(word);
      byte[] key = new byte[length + Long.BYTES];
      dictionary.copyKey(word, key);
      keys.add((key[0] & 0xFF) + ":" + new String(key, 1, length - 1, UTF_8));
      word = dictionary.wordAfter(word);
    }
    return keys;
  }
}
