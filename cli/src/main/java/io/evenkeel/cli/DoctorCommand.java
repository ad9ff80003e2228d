package io.evenkeel.cli;

import io.evenkeel.bench.sim.placement.SimulateProcess;
import io.evenkeel.cli.core.blocks.FsckReader;
import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.Migration;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.doctor.Pause;
import io.evenkeel.cli.doctor.Places;
import io.evenkeel.cli.doctor.Sample;
import io.evenkeel.cli.doctor.Sampler;
import io.evenkeel.cli.doctor.YarnSampler;
import io.evenkeel.cli.doctor.core.BlockListing;
import io.evenkeel.cli.doctor.core.ClusterHistory;
import io.evenkeel.cli.doctor.core.Diagnosis;
import io.evenkeel.cli.doctor.core.Doctor;
import io.evenkeel.cli.doctor.core.DoctorPage;
import io.evenkeel.cli.doctor.core.DoctorReport;
import io.evenkeel.cli.doctor.core.PlacementForecast;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.topology.FsckListing;
import io.evenkeel.cli.topology.LiveListing;
import io.evenkeel.cli.topology.NameNodeWeb;
import io.evenkeel.cli.topology.TextInput;
import io.evenkeel.cli.topology.TopologySource;
import io.evenkeel.cli.topology.core.SimulationReport;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.OutputFile;
import io.evenkeel.common.json.Json;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Looks for what is wrong with a cluster by what its daemons say for some minutes. */
@NeedsJava(value = 17, with = "--forecast")
@Command(
    name = "doctor",
    description = {
      "Look for what is wrong with a cluster, with or without Evenkeel, by what its daemons say for"
          + " some minutes, and say what to do about it. Changes nothing.",
      "Without an address it asks the cluster that 'evenkeel status' would ask."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final int MOST_MINUTES = 60;

  private static final int LEAST_MINUTES = 2;

  /** Chance explains little that is left after so many. */
  private static final int ENOUGH_MINUTES = 10;

  /** Release whose policies are simulated. */
  private static final String SIMULATED = "3.4.3";

  private static final int REPLICATION = 3;
  private static final int BLOCKS_PER_NODE = 100;
  private static final long LEAST_BLOCKS = 1000;
  private static final long MOST_BLOCKS = 10_000_000;
  private static final long SEED = 9608;
  private static final int LEAST_TIMEOUT = 60_000;
  private static final String SAMPLED =
      "then asking the NameNode for about %,d blocks, one request at a time: its /fsck for files and"
          + " directories, and WebHDFS for listings of directories";

  @Spec private CommandSpec spec;

  @Mixin private final ClusterOptions cluster;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAMENODE",
      description = "Web addresses of the NameNodes, such as http://nn1:9870.")
  private List<String> nameNodes = new ArrayList<>();

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "How long to look, 1..60 (2, and on to 10 while nobody is slow beyond doubt).")
  private Integer minutes;

  @Option(
      names = "--map",
      paramLabel = "FILE",
      description =
          "Where the DataNodes are, as --topology of 'evenkeel topology check'; - is standard"
              + " input.")
  private String map;

  @Option(
      names = "--script",
      paramLabel = "FILE",
      description =
          "Where the DataNodes are: a script as net.topology.script.file.name names one, run here"
              + " with their addresses.")
  private String script;

  @Option(
      names = "--layers",
      paramLabel = "auto|rack|nodegroup",
      defaultValue = "auto",
      description =
          "What the last part of a location is. auto: a node group when most locations have two"
              + " parts or more (${DEFAULT-VALUE}).")
  private Topology.Layers layers;

  @Option(
      names = "--fsck",
      paramLabel = "FILE",
      description =
          "Also look at replicas: output of 'hdfs fsck / -files -blocks -locations -racks"
              + " -replicaDetails -storagepolicies'; - is standard input.")
  private String fsck;

  @Option(
      names = "--no-threads",
      description =
          "Do not ask DataNodes for their threads, which they also write to their logs: a hung"
              + " volume and waits for locks are not seen then.")
  private boolean noThreads;

  @Option(
      names = "--resourcemanager",
      paramLabel = "URL",
      description =
          "Also look at YARN: web address of a ResourceManager, such as http://rm1:8088; repeat it"
              + " for each of them.")
  private List<String> resourceManagers = new ArrayList<>();

  @Option(
      names = "--forecast",
      description =
          "Also simulate, on this layout, where stock's policies and ours would put new blocks;"
              + " needs Java 17, and fetches Hadoop "
              + SIMULATED
              + " where it is not here.")
  private boolean forecast;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description =
          "Also look at replicas: in the end ask the NameNode for about N blocks (1,000 to"
              + " 10,000,000), drawn at random by its /fsck and WebHDFS; a cluster with fewer is"
              + " read whole.")
  private Long sample;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      defaultValue = "${env:HADOOP_USER_NAME:-${sys:user.name}}",
      description =
          "With --sample: user to ask as; must be able to read everything (HADOOP_USER_NAME, or"
              + " the user of this process).")
  private String user;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Also write doctor.html and doctor.json to DIR.")
  private File out;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  private final InputStream in;
  private final LongSupplier nanos;
  private final Pause pause;

  DoctorCommand() {
    this(System::getenv, System.in, System::nanoTime, new Screen.Real()::pause);
  }

  /** For tests: {@code environment} gives environment variables, {@code in} standard input. */
  DoctorCommand(
      Function<String, String> environment, InputStream in, LongSupplier nanos, Pause pause) {
    this.cluster = new ClusterOptions(environment);
    this.in = in;
    this.nanos = nanos;
    this.pause = pause;
  }

  @Override
  public Integer call() throws InterruptedException {
    check();
    ClusterSource source = source();
    List<URI> managers = cluster.addresses("--resourcemanager", resourceManagers);
    Listed listed = fsck == null ? null : new Listed(new TextInput(fsck, in));
    Places places = places();
    makeDirectory();
    Consumer<String> progress = Output.progress(spec);
    Sampler sampler = new Sampler(cluster.timeoutMillis(), nanos, pause, progress);
    if (noThreads) {
      sampler.withoutThreads();
    }
    sampler.find(source, places);
    YarnSampler yarn = new YarnSampler(managers, cluster.timeoutMillis(), nanos, progress);
    yarn.begin();
    int least = minutes == null ? LEAST_MINUTES : minutes;
    int most = minutes == null ? ENOUGH_MINUTES : minutes;
    progress.accept(sampler.load(least, most) + yarn.load());
    if (sample != null) {
      progress.accept(String.format(Locale.ROOT, SAMPLED, sample));
    }
    Sample seen =
        sampler.run(
            least,
            most,
            Doctor::mayTellMore,
            uri -> sample == null ? listed : new Drawn(uri, progress));
    List<String> unseen = new ArrayList<>(seen.unseen());
    ClusterHistory all = seen.cluster().with(yarn.end());
    unseen.addAll(yarn.unseen());
    if (forecast) {
      all = forecast(source.description(), all, unseen);
    }
    List<Diagnosis> found = Doctor.examine(all);
    DoctorReport report =
        new DoctorReport(
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            "NameNode " + seen.nameNode(),
            all,
            found,
            unseen);
    write(report);
    Output.print(spec, json, report::json, report::text);
    return report.exitCode().code();
  }

  private static ClusterHistory forecast(String source, ClusterHistory cluster, List<String> unseen)
      throws InterruptedException {
    int nodes = cluster.topology().withDisk().size();
    if (nodes == 0) {
      unseen.add("the forecast: there is no live DataNode");
      return cluster;
    }
    long blocks = (long) BLOCKS_PER_NODE * nodes / REPLICATION + 1;
    SimulationReport request =
        new SimulationReport(source, cluster.topology())
            .with("blocks", blocks)
            .with("replication", REPLICATION)
            .with("writers", "local")
            .with("order", "turn")
            .with("seed", SEED)
            .with("hadoop", SIMULATED);
    try {
      String json = SimulateProcess.simulate(SIMULATED, request.request(SimulateCommand.POLICIES));
      return cluster.with(PlacementForecast.of(blocks, json));
    } catch (CommandException e) {
      unseen.add("the forecast: " + e.getMessage());
      return cluster;
    }
  }

  private void check() {
    if (minutes != null && (minutes < 1 || minutes > MOST_MINUTES)) {
      throw cluster.misuse("--minutes = " + minutes + " is not allowed; use 1.." + MOST_MINUTES);
    }
    if (map != null && script != null) {
      throw cluster.misuse("--map and --script cannot be used together");
    }
    if (sample != null && fsck != null) {
      throw cluster.misuse("--sample and --fsck cannot be used together");
    }
    if (sample != null && (sample < LEAST_BLOCKS || sample > MOST_BLOCKS)) {
      throw cluster.misuse(
          "--sample = " + sample + " is not allowed; use " + LEAST_BLOCKS + ".." + MOST_BLOCKS);
    }
    if (sample == null && spec.commandLine().getParseResult().hasMatchedOption("--user")) {
      throw cluster.misuse("--user needs --sample");
    }
    if ("-".equals(map) && "-".equals(fsck)) {
      throw cluster.misuse("--map and --fsck cannot both be standard input");
    }
    if (!nameNodes.isEmpty() && cluster.nameCluster()) {
      throw cluster.misuse("give addresses of NameNodes or name a cluster, not both");
    }
  }

  private ClusterSource source() {
    return nameNodes.isEmpty()
        ? cluster.source(false)
        : ClusterSource.given(cluster.addresses("NAMENODE", nameNodes));
  }

  private Places places() {
    if (map != null) {
      TopologySource file = TopologySource.of(new TextInput(map, in));
      return Places.byFile(new Topology(file.nodes(), layers));
    }
    return script == null ? Places.byNameNode(layers) : Places.byScript(script, layers);
  }

  /** Before the work: better known before some minutes than after them. */
  private void makeDirectory() {
    try {
      if (out != null) {
        Files.createDirectories(out.toPath());
        OutputFile.require("--out", new File(out, "doctor.json").getPath());
      }
    } catch (IOException e) {
      throw OutputFile.failure("--out", out, e);
    }
  }

  private void write(DoctorReport report) {
    try {
      if (out != null) {
        write("doctor.json", Json.pretty(report.json()) + "\n");
        write("doctor.html", DoctorPage.html(report));
      }
    } catch (IOException e) {
      throw OutputFile.failure("--out", out, e);
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = out.toPath().resolve(name);
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** A file with the output of fsck, read when all else is known. */
  private static final class Listed implements BlockListing {
    private final FsckListing file;

    Listed(TextInput input) {
      file = new FsckListing(input);
      file.require();
    }

    @Override
    public String description() {
      return "--fsck: " + file.description();
    }

    @Override
    public Summary read(Migration migration, Consumer<ListedBlock> blocks) {
      FsckReader reader =
          file.read(
              block -> {
                migration.accept(block);
                blocks.accept(block);
              });
      return new Summary(reader.isComplete(), migration.forecast(0), reader.storageTypes());
    }
  }

  /** Blocks that a NameNode is asked for when all else is known. */
  private final class Drawn implements BlockListing {
    private final URI nameNode;
    private final Consumer<String> progress;

    Drawn(URI nameNode, Consumer<String> progress) {
      this.nameNode = nameNode;
      this.progress = progress;
    }

    @Override
    public String description() {
      return "--sample: " + nameNode;
    }

    @Override
    public Summary read(Migration migration, Consumer<ListedBlock> blocks) {
      progress.accept("reading a sample of the blocks");
      int timeout = Math.max(LEAST_TIMEOUT, cluster.timeoutMillis()); // fsck counts meanwhile
      NameNodeWeb web = new NameNodeWeb(nameNode, user, timeout, "--fsck");
      web.requireActive();
      LiveListing listing = new LiveListing(web, migration, blocks, sample, SEED);
      return new Summary(true, listing.read(), listing.storageTypes());
    }
  }
}
