package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs bin/evenkeel of the exploded distribution as a user would. */
@Timeout(120)
@Tag("once")
class LauncherScriptIT {
  private static final Path ROOT =
      Path.of(System.getProperty("evenkeel.root", "..")).toAbsolutePath().normalize();
  private static final String VERSION = System.getProperty("evenkeel.version", "0.1.0");
  private static final Path HOME = ROOT.resolve("cli/target/evenkeel-" + VERSION);

  @TempDir private Path dir;
  private ScriptRunner runner;

  @BeforeEach
  void prepare() {
    runner = new ScriptRunner(dir);
  }

  private ScriptRunner.Result run(String... args) throws IOException, InterruptedException {
    return runner.run(HOME.resolve("bin/evenkeel"), Map.of(), args);
  }

  /** A directory with the tools the script uses and nothing else: no java, no hadoop. */
  private String pathWithoutJava() throws IOException {
    Path bin = Files.createDirectories(dir.resolve("only"));
    for (String tool : List.of("bash", "env", "dirname", "basename", "readlink", "cat")) {
      Path real =
          Stream.of("/usr/bin", "/bin")
              .map(parent -> Path.of(parent, tool))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(bin.resolve(tool), real);
    }
    return bin.toString();
  }

  private Path copyOfTheDistribution(Path to) throws IOException {
    try (Stream<Path> files = Files.walk(HOME)) {
      files.forEach(
          file -> {
            try {
              Files.copy(file, to.resolve(HOME.relativize(file).toString()));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return to;
  }

  @Test
  void script_version_isThatOfTheBuild() throws Exception {
    ScriptRunner.Result result = run("--version");
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(result.out().trim()).isEqualTo("evenkeel " + VERSION);
  }

  @Test
  void script_help_listsTheCommands() throws Exception {
    ScriptRunner.Result result = run("--help");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("Usage: evenkeel").contains("status");
  }

  @Test
  void script_unknownCommand_is64WithASuggestion() throws Exception {
    ScriptRunner.Result result = run("staus");
    assertThat(result.code()).isEqualTo(64);
    assertThat(result.err()).contains("Did you mean 'status'?");
  }

  @Test
  void script_noJavaAtAll_saysSoInOneLine() throws Exception {
    ScriptRunner.Result result =
        runner.run(
            HOME.resolve("bin/evenkeel"),
            Map.of("JAVA_HOME", "", "PATH", pathWithoutJava()),
            "--version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo("evenkeel: no Java found; set JAVA_HOME or put java on the PATH\n");
  }

  @Test
  void script_simulateWithoutHadoop_saysWhatToInstall() throws Exception {
    ScriptRunner.Result result =
        runner.run(
            HOME.resolve("bin/evenkeel"),
            Map.of("PATH", pathWithoutJava()),
            "simulate",
            "--hosts",
            "3");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("neither mvn nor hadoop is on the path").hasLineCount(1);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void script_javaHomeWithoutJava_namesIt() throws Exception {
    ScriptRunner.Result result =
        runner.run(HOME.resolve("bin/evenkeel"), Map.of("JAVA_HOME", "/no/such jdk"), "--version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("'/no/such jdk'").hasLineCount(1);
  }

  @Test
  void script_incompleteDistribution_saysWhatIsMissing() throws Exception {
    Path copy = copyOfTheDistribution(dir.resolve("broken"));
    Files.delete(copy.resolve("cli/evenkeel-cli.jar"));
    ScriptRunner.Result result = runner.run(copy.resolve("bin/evenkeel"), Map.of(), "--version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("cli/evenkeel-cli.jar is missing").hasLineCount(1);
  }

  @Test
  void script_pathWithBlanksThroughRelativeLinks_works() throws Exception {
    Path copy = copyOfTheDistribution(Files.createDirectory(dir.resolve("a b")).resolve("c d"));
    Path links = Files.createDirectory(dir.resolve("links"));
    Files.createSymbolicLink(links.resolve("first"), Path.of("../a b/c d/bin/evenkeel"));
    Path second = Files.createSymbolicLink(dir.resolve("second"), Path.of("links/first"));
    assertThat(copy.resolve("bin/evenkeel").toFile().canExecute()).isTrue();
    ScriptRunner.Result result = runner.run(second, Map.of(), "--version");
    assertThat(result.out().trim()).isEqualTo("evenkeel " + VERSION);
    assertThat(result.code()).isZero();
  }

  @Test
  void script_hadoopOnThePath_itsConfigurationIsRead() throws Exception {
    Path bin = Files.createDirectories(dir.resolve("hadoop home/bin"));
    File hadoop = Files.writeString(bin.resolve("hadoop"), "#!/bin/sh\n").toFile();
    assertThat(hadoop.setExecutable(true)).isTrue();
    Path conf = Files.createDirectories(dir.resolve("hadoop home/etc/hadoop"));
    try (FakeDaemon dataNode = FakeDaemon.dataNode();
        FakeDaemon nameNode = FakeDaemon.nameNode("active", dataNode)) {
      Files.writeString(
          conf.resolve("hdfs-site.xml"),
          "<configuration><property><name>dfs.namenode.http-address</name><value>"
              + nameNode.address()
              + "</value></property></configuration>");
      ScriptRunner.Result result =
          runner.run(
              HOME.resolve("bin/evenkeel"),
              Map.of("PATH", bin + File.pathSeparator + System.getenv("PATH")),
              "status");
      assertThat(result.err().lines().filter(line -> !line.startsWith("evenkeel: waiting for ")))
          .isEmpty(); // a busy machine is slow to answer
      assertThat(result.out()).contains(nameNode.address() + " (active)");
      assertThat(result.code()).isZero();
    }
  }

  @Test
  void script_terasortHelp_isThatOfTheToolInItsJar() throws Exception {
    ScriptRunner.Result result = run("terasort", "--help");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("Usage: terasort").contains("--samples");
  }

  @Test
  void script_terasort_isRunByTheInstalledHadoop() throws Exception {
    Path bin = Files.createDirectories(dir.resolve("hadoop home/bin"));
    String noting = "#!/bin/sh\nfor a; do printf '<%s>' \"$a\"; done\nexit 2\n";
    File hadoop = Files.writeString(bin.resolve("hadoop"), noting).toFile();
    assertThat(hadoop.setExecutable(true)).isTrue();
    Map<String, String> environment = Map.of("HADOOP_HOME", dir.resolve("hadoop home").toString());
    ScriptRunner.Result result =
        runner.run(
            HOME.resolve("bin/evenkeel"), environment, "terasort", "-Dx=a b", "--dir", "'*'");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out())
        .isEqualTo(
            "<jar><"
                + HOME.resolve("lib/evenkeel-terasort-tools-" + VERSION + ".jar")
                + "><io.evenkeel.terasort.TeraSortSuite><-Dx=a b><--dir><'*'>");
  }

  @Test
  void script_interruptSignal_ends130() throws Exception {
    assumeFalse(ScriptRunner.interruptIsIgnored(), "this JVM was started with SIGINT ignored");
    try (FakeDaemon nameNode = FakeDaemon.nameNode("active").hanging()) {
      Process process =
          runner.start(
              HOME.resolve("bin/evenkeel"),
              Map.of(),
              "status",
              "--namenode",
              nameNode.url(),
              "--timeout",
              "600");
      nameNode.awaitRequest(); // then java has replaced the shell and waits
      ScriptRunner.interrupt(process);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(130);
    }
  }

  @Test
  void script_standardOutputIsFull_couldNotRunAndSaysSo() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full here");
    for (String command : List.of("--help", "bench --list --json -")) {
      ScriptRunner.Result result = bash("'" + HOME + "/bin/evenkeel' " + command + " >/dev/full");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .isEqualTo("evenkeel: standard output cannot be written: No space left on device\n");
    }
  }

  @Test
  void script_readerHasSeenEnough_isNoFailure() throws Exception {
    ScriptRunner.Result result =
        bash("set -o pipefail; '" + HOME + "/bin/evenkeel' status --help | true");
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
  }

  @Test
  void script_localeC_opensAFileWhoseNameIsNotAscii() throws Exception {
    String history = "Avro-Json\\n{}\\n{\"type\":\"JOB_KILLED\",\"event\":{}}\\n";
    String name = "$'\\303\\274 b.jhist'";
    ScriptRunner.Result result =
        bash(
            "printf '%b' '"
                + history
                + "' > "
                + name
                + "; LC_ALL=C '"
                + HOME
                + "/bin/evenkeel' locality "
                + name);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isEqualTo(2); // it has no end
  }

  @Test
  void script_nameThatIsNotUtf8_isRefusedInPlainWords() throws Exception {
    ScriptRunner.Result result =
        bash("LC_ALL=C '" + HOME + "/bin/evenkeel' locality $'m\\374ller.jhist'");
    assertThat(result.err())
        .startsWith("evenkeel: the argument JOB holds bytes that are no text in UTF-8,");
    assertThat(result.code()).isEqualTo(64);
  }

  private ScriptRunner.Result bash(String line) throws IOException, InterruptedException {
    return runner.run(Path.of("/bin/bash"), Map.of(), "-c", line);
  }

  @Test
  void script_endedWhileHadoopFetchesAHistory_leavesNothing() throws Exception {
    Path bin = Files.createDirectories(dir.resolve("hadoop/bin"));
    Path fetching = dir.resolve("fetching");
    String slow =
        "#!/bin/bash\necho $$ > " + fetching + ".new\nmv " + fetching + ".new " + fetching;
    File hadoop = Files.writeString(bin.resolve("hadoop"), slow + "\nexec sleep 600\n").toFile();
    assertThat(hadoop.setExecutable(true)).isTrue();
    Path temporary = Files.createDirectory(dir.resolve("temporary"));
    Process process =
        runner.start(
            HOME.resolve("bin/evenkeel"),
            Map.of(
                "HADOOP_HOME",
                dir.resolve("hadoop").toString(),
                "EVENKEEL_JAVA_OPTS",
                "-Djava.io.tmpdir=" + temporary),
            "locality",
            "job_1700000000000_0001");
    Await.until("hadoop runs", () -> Files.exists(fetching));
    ProcessHandle child =
        ProcessHandle.of(Long.parseLong(Files.readString(fetching).trim())).orElseThrow();
    assertThat(temporary).isNotEmptyDirectory();
    process.destroy(); // SIGTERM, to it alone
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    Await.until("hadoop has ended", () -> !child.isAlive());
    assertThat(temporary).isEmptyDirectory();
  }

  /** The archive, unpacked as an administrator does. */
  private Path unpackedArchive() throws IOException, InterruptedException {
    Process tar =
        new ProcessBuilder("tar", "-xzf", HOME + ".tar.gz", "-C", dir.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    return dir.resolve("evenkeel-" + VERSION);
  }

  @Test
  void script_benchInACheckout_listsBenchmarks() throws Exception {
    ScriptRunner.Result result = run("bench", "--list");
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("volume.share", "volume.chooser");
  }

  @Test
  void archive_bench_saysInOneLineWhereBenchmarksRun() throws Exception {
    Path script = unpackedArchive().resolve("bin/evenkeel");
    for (String option : List.of("--list", "--quick")) {
      ScriptRunner.Result result = runner.run(script, Map.of(), "bench", option);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.err())
          .isEqualTo(
              "evenkeel: benchmarks run from a checkout of the sources, with ./evenkeel bench\n");
    }
  }

  @Test
  void archive_content_isTheDistributionWithoutBenchmarks() throws Exception {
    Path archive = unpackedArchive();
    assertThat(archive.toFile().list())
        .doesNotContain("bench")
        .contains("bin", "cli", "lib", "docs", "README.md");
    assertThat(archive.resolve("cli").toFile().list())
        .containsExactlyInAnyOrder(HOME.resolve("cli").toFile().list());
    assertThat(archive.resolve("lib").toFile().list())
        .containsExactlyInAnyOrder(HOME.resolve("lib").toFile().list());
    ScriptRunner.Result version =
        runner.run(archive.resolve("bin/evenkeel"), Map.of(), "--version");
    assertThat(version.out().trim()).isEqualTo("evenkeel " + VERSION);
  }

  /** The tables of this distribution's own jars stand in for a Hadoop that is not here. */
  @Test
  void check_withoutHadoop_judgesValues() throws Exception {
    Path conf = Files.createDirectory(dir.resolve("conf"));
    Files.writeString(
        conf.resolve("hdfs-site.xml"),
        "<configuration><property><name>evenkeel.volume.fill</name><value>fast</value></property>"
            + "</configuration>");
    ScriptRunner.Result result = run("check", "--conf", conf.toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).contains("evenkeel.volume.fill = 'fast' is not allowed; use off");
  }

  /** What Hadoop's functions would have been told by the profile, a line each. */
  private ScriptRunner.Result profile(Path file, Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    Path script = dir.resolve("hadoop-like.sh");
    Files.writeString(
        script,
        "hadoop_add_profile() { echo profile $1; }\n"
            + "hadoop_add_subcommand() { echo subcommand $1; }\n"
            + "hadoop_add_classpath() { echo classpath \"$1\"; }\n"
            + "hadoop_error() { echo \"$*\" >&2; }\n"
            + "HADOOP_SHELL_EXECNAME=hdfs\n. \""
            + file
            + "\"\n"
            + "if declare -f _evenkeel_hadoop_classpath >/dev/null; then"
            + " [ -n \"$_EVENKEEL_HOME\" ] && _evenkeel_hadoop_classpath; fi\n"
            + "[ $# -eq 0 ] || hdfs_subcommand_evenkeel \"$@\"\n"
            + "echo \"${HADOOP_CLASSNAME:-no class}\"\n");
    List<String> all = new ArrayList<>(List.of(script.toString()));
    all.addAll(List.of(args));
    return runner.run(Path.of("/bin/bash"), environment, all.toArray(new String[0]));
  }

  @Test
  void profile_linked_addsTheJarsAndTheCommand() throws Exception {
    Path link = dir.resolve("evenkeel.sh");
    Files.createSymbolicLink(link, HOME.resolve("shellprofile.d/evenkeel.sh"));
    ScriptRunner.Result result = profile(link, Map.of(), "status");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("profile evenkeel\nsubcommand evenkeel\n")
        .contains("classpath " + HOME + "/lib/*\n")
        .endsWith("io.evenkeel.cli.Evenkeel\n");
  }

  /** There, ".." is no distribution; with an empty home the class path got /lib/*. */
  @Test
  void profile_copiedWithoutEvenkeelHome_addsNothingAndSaysWhatToSet() throws Exception {
    Path copy = dir.resolve("shellprofile.d/evenkeel.sh");
    Files.createDirectories(copy.getParent());
    Files.copy(HOME.resolve("shellprofile.d/evenkeel.sh"), copy);
    Files.createDirectories(dir.resolve("lib")); // what / has, too
    ScriptRunner.Result result = profile(copy, Map.of("EVENKEEL_HOME", ""));
    assertThat(result.out()).isEqualTo("no class\n");
    assertThat(result.err()).contains("set EVENKEEL_HOME in hadoop-env.sh").hasLineCount(1);
    assertThat(profile(copy, Map.of("EVENKEEL_HOME", HOME.toString())).out())
        .contains("classpath " + HOME + "/lib/*\n");
  }

  /** These start a Hadoop of their own; on the class path of this one they failed. */
  @Test
  void profile_demoAndCluster_areRunByTheLauncher() throws Exception {
    Path profile = HOME.resolve("shellprofile.d/evenkeel.sh");
    ScriptRunner.Result help = profile(profile, Map.of(), "demo", "--help");
    assertThat(help.code()).isZero();
    assertThat(help.out()).contains("Usage: evenkeel demo").doesNotContain("no class");
    ScriptRunner.Result status =
        profile(profile, Map.of(), "cluster", "status", "--dir", dir.resolve("none").toString());
    assertThat(status.code()).isEqualTo(3);
  }

  @Test
  void distribution_layout_isAsDocumented() throws IOException {
    assertThat(HOME.resolve("lib").toFile().list())
        .allMatch(name -> name.startsWith("evenkeel-") && name.endsWith(".jar"))
        .noneMatch(name -> name.contains("cli") || name.contains("bench"))
        .hasSize(5);
    assertThat(HOME.resolve("cli").toFile().list())
        .containsExactlyInAnyOrder(
            "evenkeel-cli.jar",
            "evenkeel-bench-testbed.jar",
            "evenkeel-bench-simulation.jar",
            "evenkeel-bench-demo.jar",
            "evenkeel-bench-trial.jar",
            "evenkeel-bench-gameday.jar");
    assertThat(HOME.resolve("bench").toFile().list())
        .contains("evenkeel-bench-experiments.jar")
        .hasSize(4)
        .anyMatch(name -> name.startsWith("jmh-core-"))
        .anyMatch(name -> name.startsWith("jopt-simple-"))
        .anyMatch(name -> name.startsWith("commons-math3-"));
    assertThat(HOME).isDirectoryContaining("glob:**/LICENSE");
    assertThat(HOME).isDirectoryContaining("glob:**/NOTICE");
    assertThat(HOME.resolve("docs/deploy.md")).exists();
    assertThat(HOME.resolve("shellprofile.d/evenkeel.sh")).exists();
    assertThat(HOME.resolve("systemd/evenkeel-mover.service")).exists();
    assertThat(HOME.resolve("meta/evenkeel_env.sh")).content().doesNotContain("${project");
    assertThat(HOME.resolve("meta/parcel.json"))
        .content()
        .contains("\"evenkeel\"")
        .doesNotContain("$");
    assertThat(Path.of(HOME + ".tar.gz")).exists();
  }
}
