package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Programs;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.Units;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Checks the options of the demo, prepares its output directory and runs {@link DemoMain} in a JVM
 * of its own with the chosen Hadoop on its class path. Whatever way that JVM ends, this class
 * leaves no process behind and nothing outside the output directory.
 */
public final class DemoLauncher {
  /** Smallest {@code --size}. */
  static final long MIN_BYTES = 1L << 20;

  /** Largest {@code --size}. */
  static final long MAX_BYTES = 64L << 30;

  /** Sections {@code --only} may name. */
  static final Set<String> SECTIONS =
      Set.of("placement", "hosts", "locking", "volume", "mover", "terasort");

  // Input, sorted output and spills with three replicas, for the larger of the two arms; the
  // files of a pass are removed before the next. The base covers the sections of the disks.
  private static final int BYTES_ON_DISK_PER_BYTE = 9;
  private static final long BASE_BYTES_ON_DISK = 1024L << 20;

  // What survives Hadoop's own parsing of lists and URIs and the shell scripts of containers.
  private static final Pattern USABLE_PATH = Pattern.compile("[A-Za-z0-9/._+@=-]+");
  private static final Pattern OLD_HADOOP = Pattern.compile("[0-2]\\..*");

  /** The demo ends its containers first when it is told to end. */
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final DemoOptions options;

  /** Takes checked or unchecked options; {@link #run} checks them. */
  public DemoLauncher(DemoOptions options) {
    this.options = options;
  }

  /** Runs the demo and returns its exit code. */
  public int run(List<String> commandLine) throws IOException, InterruptedException {
    check();
    WorkDirectory work = WorkDirectory.lock(options.out());
    try {
      HadoopRuntime runtime = HadoopRuntime.resolve(options.hadoop());
      prepare(work);
      List<String> command = command(runtime, commandLine);
      return Programs.run(command, GRACE, () -> work.release(options.keep()));
    } finally {
      work.release(options.keep());
    }
  }

  private void check() throws IOException {
    if (options.sizeBytes() < MIN_BYTES || options.sizeBytes() > MAX_BYTES) {
      throw usage("--size " + options.sizeBytes() + " bytes is out of range; use 1m to 64g");
    }
    if (options.only() != null && !SECTIONS.contains(options.only())) {
      String known = String.join(", ", new TreeSet<>(SECTIONS));
      throw usage("--only " + options.only() + ": no such section; choose one of " + known);
    }
    HadoopRuntime.checkVersion(options.hadoop());
    if (OLD_HADOOP.matcher(options.hadoop()).matches()) {
      throw usage("--hadoop " + options.hadoop() + " is too old; the demo needs 3.1.4 up");
    }
    checkOut();
  }

  private static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }

  private void checkOut() throws IOException {
    Path out = options.out().toAbsolutePath();
    if (options.out().toString().isEmpty()) {
      throw usage("--out is empty; name a directory");
    }
    if (!USABLE_PATH.matcher(out.toString()).matches()) {
      throw usage(
          "--out "
              + out
              + ": Hadoop's containers cannot run in such a path; choose an --out with only"
              + " letters a-z, digits and / . _ + @ = -");
    }
    Path existing = out;
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    long needed = BYTES_ON_DISK_PER_BYTE * options.sizeBytes() + BASE_BYTES_ON_DISK;
    long free = existing == null ? 0 : Files.getFileStore(existing).getUsableSpace();
    if (free < needed) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          String.format(
              "%s has %s free and this demo needs %s; choose another --out or a smaller --size",
              options.out(), Units.humanBytes(free), Units.humanBytes(needed)));
    }
  }

  private void prepare(WorkDirectory work) throws IOException {
    work.create();
    try {
      plan().writeHostsFile(hostsFile(options));
      Files.writeString(work.path().resolve("log4j.properties"), log4j());
    } catch (FileSystemException e) {
      throw WorkDirectory.unwritable(options.out(), e);
    }
  }

  private String log4j() {
    return String.join(
        "\n",
        "log4j.rootLogger=WARN,file",
        "log4j.appender.file=org.apache.log4j.FileAppender",
        "log4j.appender.file.File=" + log(options),
        "log4j.appender.file.Append=false",
        "log4j.appender.file.layout=org.apache.log4j.PatternLayout",
        "log4j.appender.file.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2} - %m%n",
        "log4j.logger.io.evenkeel=INFO",
        "");
  }

  private List<String> command(HadoopRuntime runtime, List<String> commandLine) {
    Path work = options.out().resolve("work").toAbsolutePath();
    String version = DemoLauncher.class.getPackage().getImplementationVersion();
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("jdk.net.hosts.file", hostsFile(options));
    properties.put("java.io.tmpdir", work.resolve("tmp"));
    properties.put("hadoop.log.dir", work.resolve("log"));
    properties.put("log4j.configuration", work.resolve("log4j.properties").toUri());
    properties.put("evenkeel.terminal", Boolean.getBoolean("evenkeel.terminal"));
    properties.put("evenkeel.command", "evenkeel " + String.join(" ", commandLine));
    properties.put("evenkeel.version", version == null ? "unpackaged" : version);
    properties.put("evenkeel.demo.size", options.sizeBytes());
    properties.put("evenkeel.demo.hadoop", options.hadoop());
    properties.put("evenkeel.demo.out", options.out().toAbsolutePath());
    properties.put("evenkeel.demo.full", options.full());
    properties.put("evenkeel.demo.keep", options.keep());
    properties.put("evenkeel.demo.json", options.json());
    if (options.only() != null) {
      properties.put("evenkeel.demo.only", options.only());
    }
    List<String> command = new ArrayList<>();
    command.add(Jvm.java());
    command.addAll(runtime.jvmArgs());
    command.addAll(List.of("-Xmx2g", "-XX:+UseSerialGC"));
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", Jvm.classPath(runtime), DemoMain.class.getName()));
    return command;
  }

  /** The demo's machines: 12 DataNodes on 6 physical hosts in 2 racks. */
  static HostPlan plan() {
    return HostPlan.of(new Layout(6, 2, 2));
  }

  static Path hostsFile(DemoOptions options) {
    return options.out().toAbsolutePath().resolve("work").resolve("hosts");
  }

  static Path log(DemoOptions options) {
    return options.out().toAbsolutePath().resolve("demo.log");
  }

  /** The options as the forked JVM sees them. */
  static DemoOptions optionsFromProperties() {
    return new DemoOptions(
        Long.getLong("evenkeel.demo.size"),
        System.getProperty("evenkeel.demo.hadoop"),
        Path.of(System.getProperty("evenkeel.demo.out")),
        System.getProperty("evenkeel.demo.only"),
        Boolean.getBoolean("evenkeel.demo.full"),
        Boolean.getBoolean("evenkeel.demo.keep"),
        Boolean.getBoolean("evenkeel.demo.json"));
  }
}
