package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When and how the script builds, in a checkout whose mvnw only copies the finished launcher. */
@Timeout(120)
@Tag("once")
class LauncherBuildIT {
  private static final Path ROOT =
      Path.of(System.getProperty("evenkeel.root", "..")).toAbsolutePath().normalize();
  private static final Path BUILT =
      ROOT.resolve(
          "cli/target/evenkeel-"
              + System.getProperty("evenkeel.version", "0.1.0-SNAPSHOT")
              + "/cli/evenkeel-cli.jar");

  /** Notes each run; FAKE is what it does then. */
  private static final String MVNW =
      """
      #!/bin/sh
      echo run >>runs
      case $FAKE in
        fail) echo '[INFO] trying'; echo '[ERROR] it does not compile'; exit 1 ;;
        hang) echo $$ >builder; exec sleep 100 ;;
        slow) sleep 2 ;;
      esac
      mkdir -p cli/target/evenkeel-9/cli
      cp "$BUILT" cli/target/evenkeel-9/cli/evenkeel-cli.jar
      cp -r "$(dirname "$(dirname "$BUILT")")/lib" cli/target/evenkeel-9/
      touch cli/target/evenkeel-9.tar.gz
      """;

  @TempDir private Path dir;
  private ScriptRunner runner;
  private Path checkout;

  @BeforeEach
  void prepare() throws IOException {
    runner = new ScriptRunner(dir);
    checkout = Files.createDirectories(dir.resolve("a check out"));
    Files.copy(ROOT.resolve("evenkeel"), checkout.resolve("evenkeel"));
    Files.writeString(
        checkout.resolve("pom.xml"),
        "<artifactId>evenkeel-parent</artifactId>\n  <version>9</version>\n");
    Files.createDirectories(checkout.resolve("cli/src/main"));
    Files.writeString(checkout.resolve("cli/pom.xml"), "<project/>");
    Files.writeString(checkout.resolve("cli/src/main/A.java"), "class A {}");
    Files.writeString(checkout.resolve("mvnw"), MVNW);
    assertThat(checkout.resolve("mvnw").toFile().setExecutable(true)).isTrue();
  }

  private ScriptRunner.Result version(String fake) throws Exception {
    return runner.run(checkout.resolve("evenkeel"), environment(fake), "--version");
  }

  private static Map<String, String> environment(String fake) {
    return Map.of("FAKE", fake, "BUILT", BUILT.toString());
  }

  private int builds() throws IOException {
    Path runs = checkout.resolve("runs");
    return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
  }

  private Path lock() {
    return checkout.resolve("target/launcher.lock");
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("gave up waiting").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @Test
  void build_firstUse_buildsWithOneLineOfProgress() throws Exception {
    ScriptRunner.Result result = version("");
    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("evenkeel ");
    assertThat(result.err()).hasLineCount(1).startsWith("evenkeel: building").contains("done in");
    assertThat(lock()).doesNotExist();
  }

  @Test
  void build_nothingChanged_isNotRepeated() throws Exception {
    version("");
    ScriptRunner.Result result = version("");
    assertThat(result.err()).isEmpty();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void build_sourceChanged_isRepeated() throws Exception {
    version("");
    Path archive = checkout.resolve("cli/target/evenkeel-9.tar.gz");
    long built = Files.getLastModifiedTime(archive).toMillis();
    Files.setLastModifiedTime(
        checkout.resolve("cli/src/main/A.java"), FileTime.fromMillis(built + 2000));
    version("");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void build_fails_saysWhyAndWhereTheLogIs() throws Exception {
    ScriptRunner.Result result = version("fail");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .contains("the build failed: [ERROR] it does not compile")
        .contains("target/launcher-build.log");
    assertThat(result.out()).isEmpty();
    assertThat(lock()).doesNotExist();
    assertThat(version("").code()).isZero();
  }

  @Test
  void build_olderJdk_isRefusedWithOneLine() throws Exception {
    Path java = Files.createDirectories(dir.resolve("jdk8/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"1.8.0_392\"' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    ScriptRunner.Result result =
        runner.run(
            checkout.resolve("evenkeel"),
            Map.of("JAVA_HOME", dir.resolve("jdk8").toString()),
            "--version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("building needs JDK 17 or later").contains(" is 8;");
    assertThat(builds()).isZero();
  }

  @Test
  void build_twoAtOnce_buildOnceAndBothRun() throws Exception {
    Process first = runner.start(checkout.resolve("evenkeel"), environment("slow"), "--version");
    await(() -> Files.exists(lock().resolve("pid")));
    ScriptRunner.Result second = version("slow");
    assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(first.exitValue()).isZero();
    assertThat(second.code()).isZero();
    assertThat(second.err()).contains("waiting for the build of process " + first.pid());
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void build_lockOfADeadProcess_isTakenOver() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Files.createDirectories(lock());
    Files.writeString(lock().resolve("pid"), dead.pid() + "\n");
    assertThat(version("").code()).isZero();
    assertThat(lock()).doesNotExist();
  }

  @Test
  void build_interrupted_ends130AndLeavesNothingRunning() throws Exception {
    assumeFalse(ScriptRunner.interruptIsIgnored(), "this JVM was started with SIGINT ignored");
    Process process = runner.start(checkout.resolve("evenkeel"), environment("hang"), "--version");
    Path noted = checkout.resolve("builder");
    await(() -> noted.toFile().length() > 0);
    long builder = Long.parseLong(Files.readString(noted).trim());
    ScriptRunner.interrupt(process);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(lock()).doesNotExist();
    Optional<ProcessHandle> left = ProcessHandle.of(builder);
    await(() -> left.isEmpty() || !left.get().isAlive());
  }
}
