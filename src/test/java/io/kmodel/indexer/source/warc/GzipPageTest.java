package io.kmodel.indexer.source.warc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Bytes;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.Libdeflate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages that are unpacked at once are those that Java unpacks. */
class GzipPageTest {
  private static final int LIMIT = 1 << 21;

  private final DocumentBuffer to = new DocumentBuffer(LIMIT, HeapGuard.UNLIMITED);

  @BeforeEach
  void requireLibrary() {
    try (Libdeflate library = Libdeflate.open()) {
      assertThat(library).isNotNull();
    }
  }

  @Test
  void pagesOfAllLengthsAreUnpackedUpToTheMost() throws Exception {
    Random random = new Random(3);
    for (int length : new int[] {0, 1, 100, 65_535, 65_536, 65_537, 200_000, 1 << 20}) {
      byte[] page = new byte[length];
      for (int i = 0; i < length; i++) {
        page[i] = (byte) (random.nextInt(40) == 0 ? random.nextInt() : 'a' + i % 20);
      }
      assertThat(unpack(Warcs.gzip(page))).as("%d bytes", length).isTrue();
      assertThat(Arrays.copyOf(to.bytes, to.length)).isEqualTo(page);
    }
    assertThat(unpack(Warcs.gzip(new byte[(1 << 20) + 1]))).isFalse();
    byte[] noise = new byte[1 << 17];
    random.nextBytes(noise);
    assertThat(unpack(Warcs.gzip(Arrays.copyOf(noise, noise.length - 100)))).isTrue();
    assertThat(unpack(Warcs.gzip(noise))).isFalse();
  }

  @Test
  void whatIsNotOneWholeMemberIsLeftToWhoSaysWhy() throws Exception {
    byte[] page = Warcs.gzip("<p>a page about herons</p>".getBytes(US_ASCII));
    assertThat(unpack(page)).isTrue();
    assertThat(unpack(Bytes.concat(page, page))).isFalse();
    assertThat(unpack(Bytes.concat(page, new byte[1]))).isFalse();
    assertThat(unpack(Bytes.concat(page, new byte[8]))).isFalse();
    assertThat(unpack(new byte[0])).isFalse();
    for (int length = 0; length < page.length; length++) {
      assertThat(unpack(Arrays.copyOf(page, length))).as("%d bytes", length).isFalse();
    }
    for (int at = 0; at < page.length; at++) {
      byte[] altered = page.clone();
      altered[at] ^= 0x10;
      assertThat(unpack(altered)).as("byte %d altered", at).isEqualTo(isTakenByJava(altered));
    }
  }

  /** The time and the system in a header are anybody's. */
  private static boolean isTakenByJava(byte[] bytes) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes().length > 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Its checksum is that of the page and of what is behind it in the buffer. */
  @Test
  void aPageThatIsShorterThanItSaysIsLeftToo() throws Exception {
    byte[] page = Warcs.gzip("herons".getBytes(US_ASCII));
    byte[] longer = Warcs.gzip("herons\0".getBytes(US_ASCII));
    System.arraycopy(longer, longer.length - 8, page, page.length - 8, 8);
    assertThat(unpack(page)).isFalse();
  }

  @Test
  void aPageBeyondTheLimitOfADocumentIsNot() throws Exception {
    DocumentBuffer small = new DocumentBuffer(100, HeapGuard.UNLIMITED);
    small.clear();
    assertThat(GzipPage.unpack(buffer(Warcs.gzip(new byte[101])), small)).isFalse();
    assertThat(GzipPage.unpack(buffer(Warcs.gzip(new byte[100])), small)).isTrue();
  }

  private boolean unpack(byte[] packed) throws InterruptedException {
    to.clear();
    return GzipPage.unpack(buffer(packed), to);
  }

  private static DocumentBuffer buffer(byte[] bytes) throws InterruptedException {
    DocumentBuffer buffer = new DocumentBuffer(LIMIT, HeapGuard.UNLIMITED);
    buffer.clear();
    assertThat(buffer.append(bytes, 0, bytes.length)).isTrue();
    return buffer;
  }
}
