package io.evenkeel.volume.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.volume.core.DeviceCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class DeviceSourceTest {
  @TempDir private Path blockDevices;
  private Path stat;
  private DeviceSource source;

  @BeforeEach
  void makeDevice() throws IOException {
    stat = Files.createDirectory(blockDevices.resolve("8:16")).resolve("stat");
    source = new DeviceSource(blockDevices, "8:16");
  }

  private void write(String text) throws IOException {
    Files.writeString(stat, text);
  }

  @Test
  void read_fileOfAnOldKernel_hasReadsAndWrites() throws IOException {
    write(
        "    1010       21   405960     3110     2020       45   604448    65000        7     42  68110\n");
    DeviceCounters counters = source.read();
    assertThat(counters.completed()).isEqualTo(3030);
    assertThat(counters.writes()).isEqualTo(2020);
    assertThat(counters.writeMillis()).isEqualTo(65000);
    assertThat(counters.inFlight()).isEqualTo(7);
    assertThat(counters.busyMillis()).isEqualTo(42);
    assertThat(counters.bytesWritten()).isEqualTo(604448 * 512.0);
    assertThat(counters.bytesRead()).isEqualTo(405960 * 512.0);
  }

  @Test
  void read_fileOfANewKernel_countsDiscardsAndFlushesAsCompleted() throws IOException {
    write("10 0 0 0 20 0 0 5 1 0 0 400 0 0 0 3000 9\n");
    assertThat(source.read().completed()).isEqualTo(3430);
    assertThat(source.read().writes()).isEqualTo(20);
  }

  @Test
  void read_neverBusy_isNotTold() throws IOException {
    write("10 0 0 0 20 0 0 5 0 0 0\n");
    assertThat(source.read().busyMillis()).isNegative();
  }

  @Test
  void read_millisecondsPast32Bits_keepRising() throws IOException {
    write("0 0 0 0 10 0 0 4294967000 0 0 0\n");
    double before = source.read().writeMillis();
    write("0 0 0 0 20 0 0 104 0 0 0\n");
    assertThat(source.read().writeMillis() - before).isEqualTo(400);
    write("0 0 0 0 30 0 0 204 0 0 0\n");
    assertThat(source.read().writeMillis() - before).isEqualTo(500);
  }

  @Test
  void read_countersBackToZero_startAgain() throws IOException {
    write("5 0 0 0 1000 0 0 9000 2 0 0\n");
    source.read();
    write("1 0 0 0 2 0 0 30 0 0 0\n");
    DeviceCounters counters = source.read();
    assertThat(counters.writes()).isEqualTo(2);
    assertThat(counters.completed()).isEqualTo(3);
    assertThat(counters.writeMillis()).isEqualTo(30);
  }

  @Test
  void read_vanishedFile_saysSoAndReadsItWhenItIsBack() throws IOException {
    write("1 0 0 0 2 0 0 30 0 0 0\n");
    source.read();
    Files.delete(stat);
    assertThatThrownBy(source::read).isInstanceOf(NoSuchFileException.class);
    write("1 0 0 0 3 0 0 40 0 0 0\n");
    assertThat(source.read().writes()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "1 2 3 4 5 6 7 8\n", "1 2 3 4 five 6 7 8 9 10 11\n"})
  void read_somethingElse_isRefused(String text) throws IOException {
    write(text);
    assertThatThrownBy(source::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not the statistics of a block device");
  }

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
    assertThat(DeviceSource.decode(Long.decode(dev))).isEqualTo(expected);
  }
}
