package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every platform of ours has the library in the program, whatever its system has. */
class LibdeflateTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-amd64",
    "Linux, aarch64, linux-aarch64",
    "Linux, ppc64le, linux-ppc64le",
    "Mac OS X, x86_64, macos-amd64",
    "Mac OS X, aarch64, macos-aarch64"
  })
  void platformsHaveTheLibrary(String system, String architecture, String platform) {
    assertThat(Libdeflate.platform(system, architecture)).isEqualTo(platform);
    assertThat(Libdeflate.class.getResource(Libdeflate.resource(platform))).isNotNull();
  }

  @Test
  void otherPlatformsHaveNone() {
    String resource = Libdeflate.resource(Libdeflate.platform("Linux", "riscv64"));
    assertThat(resource).isEqualTo("/aircompressor/linux-riscv64/libdeflate.so");
    assertThat(Libdeflate.class.getResource(resource)).isNull();
  }
}
