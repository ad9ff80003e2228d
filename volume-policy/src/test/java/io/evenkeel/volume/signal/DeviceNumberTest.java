package io.evenkeel.volume.signal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class DeviceNumberTest {
  // The second column is makedev(major, minor) of the C library.
  @ParameterizedTest
  @CsvSource({
    "8:16, 0x810",
    "254:0, 65024",
    "0:27, 27",
    "259:300, 0x11032c",
    "4095:255, 0xfffff",
    "4096:256, 0x100000100000",
    "74565:6789034, 0x12006797345aa",
  })
  void decode_numberOfTheSystem_isMajorAndMinor(String expected, String dev) {
    assertThat(DeviceNumber.decode(Long.decode(dev))).isEqualTo(expected);
  }
}
