package io.evenkeel.terasort.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySamplerTest {
  private final Configuration conf = new Configuration();

  @TempDir private Path dir;

  @BeforeEach
  void smallBlocks() {
    conf.setLong("fs.local.block.size", 1050); // rows straddle blocks
    conf.setBoolean("fs.file.impl.disable.cache", true);
  }

  /** Rows whose keys are their number in the whole input. */
  private void write(String name, int first, int rows) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(rows * 100);
    for (int i = 0; i < rows; i++) {
      bytes.putInt(100 * i, first + i);
    }
    Files.write(dir.resolve(name), bytes.array());
  }

  private static int[] numbers(byte[][] keys) {
    return Arrays.stream(keys).mapToInt(key -> ByteBuffer.wrap(key).getInt()).toArray();
  }

  private KeySampler sampler() throws IOException {
    return new KeySampler(conf, dir.toUri().toString());
  }

  @Test
  void sampled_splitsOfAFile_areTheirFirstRows() throws IOException {
    write("part-m-00000", 0, 42); // splits at 0, 1050, 2100 and 3150 up to 4200
    write("_SUCCESS", 9000, 1);
    KeySampler sampler = sampler();
    assertThat(sampler.rows()).isEqualTo(42);
    assertThat(sampler.splits()).isEqualTo(4);
    assertThat(numbers(sampler.sampled(8, 10))).containsExactly(0, 1, 11, 12, 21, 22, 32, 33);
    assertThat(numbers(sampler.sampled(4, 2))).containsExactly(0, 1, 21, 22);
    assertThat(sampler.rowsOfSmallestRead(10)).isEqualTo(10);
    // more than a split has: all of it and nothing twice
    assertThat(numbers(sampler.sampled(4000, 10))).hasSize(42).doesNotHaveDuplicates();
  }

  @Test
  void random_sameSeed_drawsTheSameRowsFromAllFiles() throws IOException {
    for (int i = 0; i < 5; i++) {
      write("part-m-0000" + i, 100 * i, 100);
    }
    int[] drawn = numbers(sampler().random(5000, 3));
    assertThat(drawn).isEqualTo(numbers(sampler().random(5000, 3)));
    assertThat(drawn).isNotEqualTo(numbers(sampler().random(5000, 4)));
    // each row 10 times on average, not in order
    assertThat(Arrays.stream(drawn).distinct().count()).isGreaterThan(490);
    assertThat(Arrays.stream(drawn).max().orElseThrow()).isLessThan(500);
    assertThat(drawn).isNotEqualTo(Arrays.stream(drawn).sorted().toArray());
  }

  @Test
  void input_missingOrEmpty_saysSo() throws IOException {
    assertThatThrownBy(this::sampler)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("no row");
    assertThatThrownBy(() -> new KeySampler(conf, dir.resolve("none").toUri().toString()))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("no such directory");
  }
}
