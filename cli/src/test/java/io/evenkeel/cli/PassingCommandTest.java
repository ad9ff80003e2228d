package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.tools.InstalledHadoop;
import io.evenkeel.cli.tools.ToolLauncher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands that hand on to a plugin jar's tool, with a child process that notes its arguments. */
@Timeout(60)
class PassingCommandTest {
  /** One argument a line, so that blanks and line ends show. */
  private static final String HADOOP =
      """
      #!/bin/sh
      for a; do printf '<%s>\\n' "$a"; done >"$(dirname "$0")/noted"
      exit 7
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, String> settings = new HashMap<>();

  @TempDir private Path dir;
  private Path jar;

  @BeforeEach
  void install() throws IOException {
    Path bin = Files.createDirectories(dir.resolve("hadoop home/bin"));
    assertThat(Files.writeString(bin.resolve("hadoop"), HADOOP).toFile().setExecutable(true))
        .isTrue();
    Path lib = Files.createDirectories(dir.resolve("ever keel/lib"));
    jar = Files.createFile(lib.resolve("evenkeel-terasort-tools-9.jar"));
    Files.createFile(lib.resolve("evenkeel-mover-9.jar"));
    settings.put("evenkeel.hadoop.home", dir.resolve("hadoop home").toString());
    settings.put("evenkeel.home", dir.resolve("ever keel").toString());
  }

  /** A class loader without Hadoop: that of the JDK. */
  private int run(String... args) {
    return run(ClassLoader.getPlatformClassLoader(), args);
  }

  private int run(ClassLoader loader, String... args) {
    ToolLauncher launcher = new ToolLauncher(new InstalledHadoop(loader, settings::get));
    CommandLine line =
        Evenkeel.commandLine(
                new TeraSortCommand(launcher),
                new TeraValidateCommand(launcher),
                new MoverCommand(launcher))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    return Evenkeel.run(line, args);
  }

  private List<String> noted() throws IOException {
    return Files.readAllLines(dir.resolve("hadoop home/bin/noted"));
  }

  @Test
  void call_withoutHadoopHere_givesTheChildEverythingAsItIs() throws IOException {
    Path at = Files.writeString(dir.resolve("at"), "expanded");
    int code =
        run(
            "terasort",
            "-Da.b=c d",
            "--rows",
            "10m",
            "--dir",
            "a \"b\" 'c' $HOME *",
            "@" + at,
            "",
            "--help",
            "--",
            "-V",
            "--keep");
    assertThat(code).isEqualTo(7);
    assertThat(noted())
        .containsExactly(
            "<jar>",
            "<" + jar + ">",
            "<io.evenkeel.terasort.TeraSortSuite>",
            "<-Da.b=c d>",
            "<--rows>",
            "<10m>",
            "<--dir>",
            "<a \"b\" 'c' $HOME *>",
            "<@" + at + ">",
            "<>",
            "<--help>",
            "<-->",
            "<-V>",
            "<--keep>");
  }

  @Test
  void call_teravalidate_namesItsClass() throws IOException {
    assertThat(run("teravalidate", "in", "--expect", "ab", "report")).isEqualTo(7);
    assertThat(noted())
        .endsWith(
            "<io.evenkeel.terasort.BlockTeraValidate>", "<in>", "<--expect>", "<ab>", "<report>");
  }

  @Test
  void call_mover_namesItsClassInItsOwnJar() throws IOException {
    assertThat(run("mover", "-p", "/a b", "-", "-f", "list", "--dry-run")).isEqualTo(7);
    assertThat(noted())
        .containsExactly(
            "<jar>",
            "<" + jar.resolveSibling("evenkeel-mover-9.jar") + ">",
            "<io.evenkeel.mover.MoverTool>",
            "<-p>",
            "</a b>",
            "<->",
            "<-f>",
            "<list>",
            "<--dry-run>");
  }

  @Test
  void call_moverWithHdfsButWithoutMapReduceHere_runsInThisJvm() {
    settings.clear();
    ClassLoader noMapReduce =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.apache.hadoop.mapreduce.")) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    assertThat(run(noMapReduce, "mover", "--bogus")).isEqualTo(64);
    assertThat(run(noMapReduce, "terasort", "--bogus")).isEqualTo(1);
    assertThat(err.toString()).contains("mapred evenkeel terasort");
  }

  @Test
  void call_moverWithoutHadoop_saysWhatToRun() throws IOException {
    settings.put("evenkeel.hadoop.home", "");
    assertThat(run("mover", "/a")).isEqualTo(1);
    assertThat(err.toString()).contains("set HADOOP_HOME, or run 'hdfs evenkeel mover ...'");
  }

  @Test
  void call_moverJarTwice_saysSo() throws IOException {
    Files.createFile(jar.resolveSibling("evenkeel-mover-8.jar"));
    assertThat(run("mover", "/a")).isEqualTo(1);
    assertThat(err.toString()).contains("not exactly one evenkeel-mover jar");
    assertThat(run("teravalidate", "in", "out")).isEqualTo(7);
  }

  @Test
  void call_debug_isForTheToolToo() throws IOException {
    assertThat(run("terasort", "--debug", "-Da=b", "--rows", "1")).isEqualTo(7);
    assertThat(noted()).endsWith("<-Da=b>", "<--rows>", "<1>", "<--debug>");
  }

  @Test
  void call_noHadoopAtAll_saysWhatToSet() {
    settings.put("evenkeel.hadoop.home", "");
    assertThat(run("terasort", "--rows", "1")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "evenkeel: this needs Hadoop's jars, which HADOOP_CONF_DIR does not name; set HADOOP_HOME, or"
                + " run 'mapred evenkeel terasort ...'\n");
  }

  @Test
  void call_hadoopHomeWithoutScript_namesIt() {
    settings.put("evenkeel.hadoop.home", "/no/such");
    assertThat(run("teravalidate")).isEqualTo(1);
    assertThat(err.toString())
        .contains("there is no /no/such/bin/hadoop")
        .contains("mapred evenkeel teravalidate");
  }

  @Test
  void call_jarMissingOrTwice_saysSo() throws IOException {
    Files.copy(jar, jar.resolveSibling("evenkeel-terasort-tools-8.jar"));
    assertThat(run("terasort")).isEqualTo(1);
    settings.remove("evenkeel.home");
    assertThat(run("terasort")).isEqualTo(1);
    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("not exactly one evenkeel-terasort-tools jar"));
  }

  @Test
  void call_hadoopIsHere_runsInThisJvm() {
    // nothing installed; the class path of the tests has Hadoop
    settings.clear();
    assertThat(run(getClass().getClassLoader(), "terasort", "--rows", "no")).isEqualTo(64);
    assertThat(run(getClass().getClassLoader(), "terasort", "-Da=b", "--rows", "1", "--help"))
        .isZero();
  }

  /** Hadoop's parser of generic options swallows a lone dash. */
  @Test
  void call_moverHereWithADash_theToolGetsIt() {
    settings.clear();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(said, true));
    try {
      assertThat(run(getClass().getClassLoader(), "mover", "-", "--follow")).isEqualTo(64);
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("mover: --follow cannot be combined with -f");
  }

  @Test
  void help_needsNoHadoop_listsTheToolsOptions() {
    settings.clear();
    assertThat(run("terasort", "--help")).isZero();
    assertThat(out.toString()).contains("--samples").contains("--replication");
    assertThat(run("teravalidate", "-h")).isZero();
    assertThat(run("mover", "--help")).isZero();
    assertThat(out.toString()).contains("--run-during-upgrade").doesNotContain("cannot be shown");
  }
}
