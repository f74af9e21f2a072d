package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcCompression;

/** Archives cut in members at the same places: whether of gzip or of zstd, the same is read. */
class MembersTest {
  private static final int ROUNDS = 150;
  private static final int PAGES = 12;

  @TempDir Path root;

  /** What is read of a file; places by the number of the member and the offset that is left. */
  private record Read(List<SourceReading.Doc> docs, List<String> places, List<String> skips) {}

  @Test
  void framesOfZstdAreReadAsMembersOfGzipAreAlsoWhereSomeAreDamaged() throws Exception {
    long seed = Long.getLong("seed", 7);
    Random random = new Random(seed);
    int damagedRounds = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<byte[]> pieces = pieces(random);
      boolean[] damaged = new boolean[pieces.size()];
      for (int i = 0; i < damaged.length; i++) {
        damaged[i] = random.nextInt(8) == 0;
      }
      Read gzip = read(Members.GZIP, pieces, damaged);
      damagedRounds += gzip.skips().isEmpty() ? 0 : 1;
      for (Members members : List.of(Members.ZSTD, Members.ZSTD_WITH_DICTIONARY)) {
        assertThat(read(members, pieces, damaged))
            .as("round %d of seed %d, %s", round, seed, members)
            .isEqualTo(gzip);
      }
    }
    assertThat(damagedRounds).isBetween(ROUNDS / 4, ROUNDS - 1);
  }

  /** Pages, most of which are cut where records are. */
  private static List<byte[]> pieces(Random random) throws IOException {
    List<byte[]> pieces = new ArrayList<>();
    ByteArrayOutputStream open = new ByteArrayOutputStream();
    for (int i = 0; i < PAGES; i++) {
      String text = "<p>page number %d".formatted(i) + " heron".repeat(random.nextInt(2000));
      open.writeBytes(Warcs.write(WarcCompression.NONE, Warcs.html("http://a.org/" + i, text)));
      if (random.nextInt(6) == 0) {
        byte[] bytes = open.toByteArray();
        int at = random.nextInt(bytes.length);
        pieces.add(Arrays.copyOf(bytes, at));
        open.reset();
        open.write(bytes, at, bytes.length - at);
      }
      if (random.nextInt(4) != 0) {
        pieces.add(open.toByteArray());
        open.reset();
      }
    }
    pieces.add(open.toByteArray());
    return pieces;
  }

  private Read read(Members members, List<byte[]> pieces, boolean[] damaged) throws Exception {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(members.start());
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < damaged.length; i++) {
      byte[] member = members.pack(pieces.get(i));
      if (damaged[i]) {
        // The checksum, which gzip has the length behind.
        member[member.length - (members == Members.GZIP ? 8 : 4)] ^= 1;
      }
      starts.add((long) file.size());
      file.writeBytes(member);
    }
    Files.write(root.resolve("a.warc"), file.toByteArray());
    SourceReading read = SourceReading.of(root, SourceReading.format(Format.WARC));
    return new Read(
        read.docs,
        read.places.stream().map(place -> place(place.offset(), starts)).toList(),
        read.skips.all().stream()
            .map(skip -> skip.reason() + " " + place(offset(skip.place()), starts))
            .toList());
  }

  private static long offset(String place) {
    return Long.parseLong(place.substring(place.lastIndexOf(' ') + 1));
  }

  /** Within the first member of a file that it starts with, the offset is that of what is in it. */
  private static String place(long offset, List<Long> starts) {
    int member = starts.indexOf(offset);
    return member > 0 ? "member " + member : "first member";
  }
}
