package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocatedFilesTest {
  private static final int CELL = 1 << 20;

  @ParameterizedTest
  @CsvSource({
    "0, 1, 4",
    "1, 0, 4", // a cell and no byte more
    "1, 1, 5",
    "5, 0, 8",
    "6, 0, 9",
    "6, 1, 9", // the second stripe needs no other blocks
    "60, 0, 9"
  })
  void internalBlocks_ofAGroup_noMoreDataBlocksThanCells(int cells, int more, int expected) {
    ErasureCodingPolicy rs63 = SystemErasureCodingPolicies.getByID((byte) 1);
    assertThat(rs63.getCellSize()).isEqualTo(CELL);

    assertThat(LocatedFiles.internalBlocks((long) cells * CELL + more, rs63)).isEqualTo(expected);
  }

  @Test
  void internalBlocks_ofALongGroup_noOverflow() {
    ErasureCodingPolicy rs63 = SystemErasureCodingPolicies.getByID((byte) 1);
    assertThat(LocatedFiles.internalBlocks(1L << 62, rs63)).isEqualTo(9);
  }
}
