package io.evenkeel.locking.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What went wrong with the blocks of one order to delete, each of which is tried, told as stock
 * tells it. For one thread.
 */
public final class DeletionFailures {
  private static final Logger LOG = LoggerFactory.getLogger(DeletionFailures.class);

  /** How stock's {@code FsDatasetAsyncDiskService} says it, 3.4 and 3.5. */
  private static final String NO_THREAD = "Cannot find volume ";

  /** What stock writes before its only reason. */
  private static final String FIRST = "\n0) ";

  private final List<String> reasons = new ArrayList<>();

  /** Stock refused, and could not delete this block. */
  public void add(IOException refusal) {
    String message = String.valueOf(refusal.getMessage());
    int reason = message.indexOf(FIRST);
    reasons.add(reason < 0 ? message : message.substring(reason + FIRST.length()));
  }

  /**
   * Ignores that the volume of a block is being removed, as stock does once it is closed. Until
   * then it has taken away the thread that deletes there, waits for the block scanner's I/O on the
   * volume, and lets a RuntimeException end the service of the whole pool.
   *
   * @throws RuntimeException {@code failure}, when it is another
   */
  public void ignoreIfItsVolumeGoes(Block block, RuntimeException failure) {
    String message = failure.getMessage();
    if (message == null || !message.startsWith(NO_THREAD)) {
      throw failure;
    }
    LOG.warn("The volume of {} is being removed, ignore its deletion: {}", block, message);
  }

  /**
   * Ends the order.
   *
   * @param blocks how many it was for
   * @throws IOException when one or more were refused
   */
  public void throwIfAny(int blocks) throws IOException {
    if (reasons.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder("Failed to delete ");
    text.append(reasons.size()).append(" (out of ").append(blocks).append(") replica(s):");
    for (int i = 0; i < reasons.size(); i++) {
      text.append('\n').append(i).append(") ").append(reasons.get(i));
    }
    throw new IOException(text.toString());
  }
}
