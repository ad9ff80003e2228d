package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.Content;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * What the internal blocks of an erasure-coded block group have to have, parity as well. Confined
 * to one thread.
 *
 * <p>Apart from {@link Verification}, which reads them.
 */
final class BlockGroup {
  private final LocatedStripedBlock group;
  private final ErasureCodingPolicy policy;
  private final byte[][] expected;

  /**
   * Computes it.
   *
   * @param content of the file, which has the whole group
   */
  BlockGroup(LocatedStripedBlock group, ErasureCodingPolicy policy, Content content)
      throws IOException {
    this.group = group;
    this.policy = policy;
    int data = policy.getNumDataUnits();
    int units = data + policy.getNumParityUnits();
    expected = new byte[units][];
    for (int i = 0; i < units; i++) {
      long length = StripedBlockUtil.getInternalBlockLength(group.getBlockSize(), policy, i);
      expected[i] = new byte[Math.toIntExact(length)];
      if (i < data) {
        fill(i, content);
      }
    }
    encode();
  }

  private void fill(int unit, Content content) {
    int cell = policy.getCellSize();
    for (int at = 0; at < expected[unit].length; at += cell) {
      long row = at / cell;
      long position = (row * policy.getNumDataUnits() + unit) * cell;
      int length = Math.min(cell, expected[unit].length - at);
      content.fill(group.getStartOffset() + position, expected[unit], at, length);
    }
  }

  /** A row of cells is filled up with zeros to the length of its first one. */
  private void encode() throws IOException {
    int data = policy.getNumDataUnits();
    ErasureCoderOptions options = new ErasureCoderOptions(data, policy.getNumParityUnits());
    RawErasureEncoder encoder =
        CodecUtil.createRawEncoder(new Configuration(false), policy.getCodecName(), options);
    int cell = policy.getCellSize();
    for (int at = 0; at < expected[data].length; at += cell) {
      int length = Math.min(cell, expected[data].length - at);
      byte[][] cells = new byte[data][];
      for (int i = 0; i < data; i++) {
        int from = Math.min(at, expected[i].length);
        int to = Math.min(at + length, expected[i].length);
        cells[i] = Arrays.copyOf(Arrays.copyOfRange(expected[i], from, to), length);
      }
      byte[][] parity = new byte[policy.getNumParityUnits()][length];
      encoder.encode(cells, parity);
      for (int i = 0; i < parity.length; i++) {
        System.arraycopy(parity[i], 0, expected[data + i], at, length);
      }
    }
    encoder.release();
  }

  /** Those that exist, with their locations; null for one that the NameNode knows nowhere. */
  LocatedBlock[] located() {
    return StripedBlockUtil.parseStripedBlockGroup(
        group, policy.getCellSize(), policy.getNumDataUnits(), policy.getNumParityUnits());
  }

  /** How many bytes of one from a position on are those that it has to have. */
  int matching(int unit, int position, byte[] buffer, int length) {
    byte[] bytes = expected[unit];
    int end = Math.min(length, bytes.length - position);
    int wrong = Arrays.mismatch(buffer, 0, end, bytes, position, position + end);
    return wrong < 0 ? end : wrong;
  }

  /** Bytes of one. */
  int length(int unit) {
    return expected[unit].length;
  }

  /** What it is called. */
  String name(int unit) {
    return unit < policy.getNumDataUnits() ? "internal block " + unit : "parity block " + unit;
  }
}
