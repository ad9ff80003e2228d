package io.evenkeel.terasort;

import io.evenkeel.common.config.Settings;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.LocationPicker;
import io.evenkeel.terasort.locality.LocatedSplit;
import io.evenkeel.terasort.locality.NetworkLocations;
import io.evenkeel.terasort.locality.NodeManagers;
import io.evenkeel.terasort.locality.SplitRewriter;
import io.evenkeel.terasort.locality.YarnNodeManagers;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds sibling VMs to the hosts that splits name: the NodeManagers on the physical hosts of the
 * replicas. A DataNode that runs no NodeManager gives way to those beside it.
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
  private static final Logger LOG = LoggerFactory.getLogger(NodeGroupSplits.class);
  private static final NodeManagers YARN = new YarnNodeManagers();

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
    return withSiblings(splits, job.getConfiguration(), YARN);
  }

  /** The split an input format made, whether it was wrapped or not. */
  public static InputSplit unwrap(InputSplit split) {
    return split instanceof LocatedSplit ? ((LocatedSplit) split).inner() : split;
  }

  /** For tests: with another way to find NodeManagers. */
  static List<InputSplit> withSiblings(
      List<InputSplit> splits, Configuration conf, NodeManagers nodeManagers) {
    Objects.requireNonNull(splits);
    if (splits.isEmpty()) {
      return splits;
    }
    try {
      Settings settings = TerasortStart.lenient(conf);
      return rewrite(splits, conf, settings, nodeManagers);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return splits;
    } catch (Exception | LinkageError e) {
      LOG.warn("splits keep the hosts they had: {}", e.toString());
      LOG.debug("why splits keep the hosts they had", e);
      return splits;
    }
  }

  private static List<InputSplit> rewrite(
      List<InputSplit> splits, Configuration conf, Settings settings, NodeManagers nodeManagers)
      throws Exception {
    Set<String> running =
        nodeManagers.hosts(conf, settings.get(TerasortKeys.LOCALITY_TIMEOUT).toMillis());
    if (running == null) {
      LOG.info("the job does not run on YARN; splits keep the hosts they had");
      return splits;
    }
    Set<String> hosts = new LinkedHashSet<>(running);
    hosts.addAll(replicas(splits));
    String layers = settings.get(TerasortKeys.LOCALITY_LAYERS).toUpperCase(Locale.ROOT);
    HostMap map = NetworkLocations.of(conf, hosts, HostMap.Layers.valueOf(layers));
    if (!map.knowsPhysicalHosts()) {
      LOG.info(
          "splits keep the hosts they had: the mapping places none of {} hosts in a node group",
          hosts.size());
      return splits;
    }
    int most = mostLocations(conf, settings);
    return new SplitRewriter(conf, new LocationPicker(map, running, most)).rewrite(splits);
  }

  private static Set<String> replicas(List<InputSplit> splits)
      throws IOException, InterruptedException {
    Set<String> hosts = new LinkedHashSet<>();
    for (InputSplit split : splits) {
      hosts.addAll(Arrays.asList(split.getLocations()));
    }
    return hosts;
  }

  private static int mostLocations(Configuration conf, Settings settings) {
    int stock = SplitRewriter.stockLimit(conf);
    int own = settings.get(TerasortKeys.LOCALITY_MAX_LOCATIONS).intValue();
    return own == 0 ? stock : Math.min(own, stock);
  }
}
