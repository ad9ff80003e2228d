package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.PlugPoints;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The section "hosts": files on a real HDFS whose DataNodes share physical hosts, with each way to
 * configure stock and with ours, and which blocks a single host or rack could lose. Confined to one
 * thread.
 */
final class HostsSection extends DemoSection<HostsSection.Result> {
  private static final String POLICY = "dfs.block.replicator.classname";
  private static final String STOCK = "org.apache.hadoop.hdfs.server.blockmanagement.";

  /** Keys that decide about placement. */
  static final Set<String> PLACEMENT_KEYS =
      Set.of(
          POLICY,
          "dfs.block.placement.ec.classname",
          "dfs.use.dfs.network.topology",
          "net.topology.impl");

  private static final int FILES = 300;
  private static final int FILE_BYTES = 4096;
  private static final int WRITERS = 6;

  private final Path dir;
  private final HostPlan plan = DemoLauncher.plan();

  HostsSection(Path dir, Progress progress) {
    super("hosts", "DataNodes that share a host", progress);
    this.dir = dir;
  }

  /** What was measured. */
  record Result(PlacementSurvey.Counts counts, String fsck, List<String> failures) {}

  @Override
  String module() {
    return "placement";
  }

  @Override
  List<Arm> arms(boolean every) {
    Map<String, String> plain = Map.of(EmbeddedHdfs.NODE_MAPPING, plan.rackMapping());
    Map<String, String> faultTolerant = new LinkedHashMap<>(plain);
    faultTolerant.put(POLICY, STOCK + "BlockPlacementPolicyRackFaultTolerant");
    Map<String, String> availableSpace = new LinkedHashMap<>(plain);
    availableSpace.put(POLICY, STOCK + "AvailableSpaceBlockPlacementPolicy");
    List<Arm> stock =
        new ArrayList<>(
            List.of(
                Arm.stock("default, plain racks", plain),
                Arm.stock("WithNodeGroup", PlugPoints.withNodeGroup()),
                Arm.stock("default, locations with node groups", Map.of())));
    if (every) {
      stock.add(Arm.stock("RackFaultTolerant", faultTolerant));
      stock.add(Arm.stock("AvailableSpace", availableSpace));
    }
    return joined(stock, ours(Map.of(), false));
  }

  @Override
  Map<String, String> sharedKeys() {
    return DemoSettings.hdfs(1 << 20);
  }

  @Override
  Result measure(Arm arm, Passes passes, int pass) throws IOException, InterruptedException {
    update(arm, "starting HDFS");
    Map<String, String> keys = sharedKeys();
    keys.putAll(arm.keys());
    Path at = dir.resolve(arm.directory() + pass);
    try (EmbeddedHdfs hdfs = new EmbeddedHdfs(at, plan, List.of("DISK"), keys);
        DistributedFileSystem fs = hdfs.fileSystem()) {
      update(arm, "writing " + FILES + " files");
      List<String> failures = write(fs);
      PlacementSurvey survey = new PlacementSurvey(plan);
      survey.add(fs, new org.apache.hadoop.fs.Path("/hosts"));
      Result result = new Result(survey.counts(), hdfs.fsck(), failures);
      String text = "%d of %d blocks twice on a host, fsck says %s";
      done(
          arm,
          String.format(text, result.counts.twoOnOneHost(), result.counts.blocks(), result.fsck));
      return result;
    }
  }

  private static List<String> write(DistributedFileSystem fs) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    Writers writers = new Writers();
    for (int i = 0; i < WRITERS; i++) {
      writers.start(
          "hosts-writer-" + i,
          () -> {
            for (int n = next.getAndIncrement(); n < FILES; n = next.getAndIncrement()) {
              org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/hosts/" + n);
              try (FSDataOutputStream out = fs.create(file, (short) 3)) {
                out.write(new byte[FILE_BYTES]);
              }
            }
          });
    }
    return writers.end();
  }

  @Override
  String failure(Result result) {
    return Stream.of(result.failures).flatMap(List::stream).findFirst().orElse("");
  }

  @Override
  String summary() {
    return String.format(
        Locale.ROOT,
        "A real NameNode and %d DataNodes on %d hosts in %d racks; %d clients outside the cluster"
            + " write %d files of one block and three replicas. Stock can be configured in several"
            + " ways; \"locations with node groups\" is the state of a cluster whose topology script"
            + " already names hosts while policy and topology are still the defaults.",
        plan.vms().size(),
        plan.layout().hosts(),
        plan.layout().racks(),
        WRITERS,
        FILES);
  }

  @Override
  String finding(Result often, Arm bestArm, Result best, Result evenkeel) {
    return String.format(
        Locale.ROOT,
        "Stock's default policy on plain racks put two replicas of %d of %d blocks on one physical"
            + " host, and fsck said %s; stock at its best (%s) did so for %d, Evenkeel for %d.",
        often.counts.twoOnOneHost(),
        often.counts.blocks(),
        often.fsck,
        bestArm.name(),
        best.counts.twoOnOneHost(),
        evenkeel.counts.twoOnOneHost());
  }

  @Override
  List<Measure<Result>> measures() {
    return List.of(
        Measure.<Result>of(
                "Blocks with two replicas on one host", "", "less", r -> r.counts.twoOnOneHost())
            .decided(),
        Measure.<Result>of(
                "Blocks with all replicas on one rack", "", "less", r -> r.counts.oneRack())
            .decided(),
        Measure.of("Blocks", "", "neither", r -> r.counts.blocks()));
  }

  @Override
  List<String> bars() {
    return List.of("Blocks with two replicas on one host", "Blocks with all replicas on one rack");
  }
}
