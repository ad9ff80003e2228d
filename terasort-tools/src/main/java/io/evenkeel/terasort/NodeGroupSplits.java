package io.evenkeel.terasort;

import io.evenkeel.terasort.locality.LocatedSplit;
import io.evenkeel.terasort.locality.SiblingSplits;
import java.util.List;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;

/**
 * Adds sibling VMs to the hosts that splits name: the NodeManagers on the physical hosts of the
 * replicas. A DataNode that runs no NodeManager gives way to those beside it. This is for input
 * formats of others; a job that only names its format uses {@link NodeGroupInputFormat}.
 *
 * <p>A {@code FileSplit} and a {@code CombineFileSplit} stay what they are, and a {@link
 * io.evenkeel.terasort.locality.Relocatable} split answers itself with one of its own kind. A split
 * of another class, also of a subclass of the first two, comes back as {@link LocatedSplit} and its
 * record reader must be given {@link #unwrap}; one that is not Writable stays as it is.
 *
 * <p>Where hosts are is asked of {@code net.topology.node.switch.mapping.impl}, where NodeManagers
 * run of YARN. It never fails a job: when one of them does not answer, or anything else goes wrong
 * here, the splits keep the hosts they had and one warning says so. Stateless and thread-safe.
 */
public final class NodeGroupSplits {
  private static final SiblingSplits SIBLINGS = SiblingSplits.onYarn();

  private NodeGroupSplits() {}

  /**
   * The same splits in the same order with the hosts they should run on.
   *
   * <p>It may raise {@code mapreduce.job.split.metainfo.maxsize} in the job's configuration, and
   * says so; where that key is final the splits stay as they were.
   *
   * @param splits as an input format made them; not changed
   */
  public static List<InputSplit> withSiblings(List<InputSplit> splits, JobContext job) {
    return SIBLINGS.of(splits, job.getConfiguration());
  }

  /** The split an input format made, whether it was wrapped or not. */
  public static InputSplit unwrap(InputSplit split) {
    return split instanceof LocatedSplit ? ((LocatedSplit) split).inner() : split;
  }
}
