package io.evenkeel.cli;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
              + System.getProperty("evenkeel.version", "0.1.0")
              + "/cli/evenkeel-cli.jar");

  /** Notes each run; FAKE is what it does then. */
  private static final String MVNW =
      """
      #!/bin/sh
      echo run >>runs
      case $FAKE in
        fail) echo '[INFO] trying'; echo '[ERROR] it does not compile'; exit 1 ;;
        idle) exit 0 ;;
        hang) echo $$ >builder; exec sleep 100 ;;
        wait) until [ -e go ]; do sleep 0.1; done ;;
      esac
      mkdir -p .launcher/evenkeel-cli/evenkeel-9/cli
      cp "$BUILT" .launcher/evenkeel-cli/evenkeel-9/cli/evenkeel-cli.jar
      cp -r "$(dirname "$(dirname "$BUILT")")/lib" .launcher/evenkeel-cli/evenkeel-9/
      touch .launcher/evenkeel-cli/evenkeel-9.tar.gz
      """;

  /** A pause of the script is 10 s of its clock, without the wait. */
  private static final String SECONDS_PASS =
      """
      pauses=0
      sleep() {
        SECONDS=$((SECONDS + 10))
        pauses=$((pauses + 1))
        paused
      }
      paused() { :; }
      """;

  /** After 200 s of waiting for it the owner of the lock is done. */
  private static final String RELEASED_AFTER_200_S =
      """
      paused() {
        [ -z "$locked" ] || return 0 # this script builds
        [ -z "${beating-}" ] || echo $pauses >"$CHECKOUT/.launcher/lock/beat"
        if [ $pauses -eq 20 ]; then
          echo >"$CHECKOUT/released"
          rm -r "$CHECKOUT/.launcher/lock"
        fi
      }
      """;

  private static final String BEATING = SECONDS_PASS + "beating=yes\n";

  /** What the kernel answers about processes of other users. */
  private static final String NOT_PERMITTED =
      SECONDS_PASS
          + """
          kill() {
            echo "kill: ($2) - Operation not permitted" >&2
            return 1
          }
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
    return checkout.resolve(".launcher/lock");
  }

  /** A lock as the process that answers to the shell command left it. */
  private void lockedBy(String signature) throws Exception {
    String sign =
        """
        set -u
        . "$1/functions"
        lock=$1/.launcher/lock
        mkdir -p "$lock"
        echo "SIGNATURE" >"$lock/owner"
        """;
    String script = Files.readString(checkout.resolve("evenkeel"));
    Files.writeString(
        checkout.resolve("functions"), script.substring(0, script.indexOf("# Running ---")));
    Process bash =
        new ProcessBuilder(
                "bash", "-c", sign.replace("SIGNATURE", signature), "-", checkout.toString())
            .inheritIO()
            .start();
    assertThat(bash.waitFor()).isZero();
  }

  /** Starts the script, which runs {@code startup} before its first line. */
  private Process startWith(String startup) throws IOException {
    Path file = Files.writeString(dir.resolve("startup.sh"), startup);
    Map<String, String> environment = new HashMap<>(environment(""));
    environment.put("BASH_ENV", file.toString());
    environment.put("CHECKOUT", checkout.toString());
    return runner.start(checkout.resolve("evenkeel"), environment, "--version");
  }

  private String errors() throws IOException {
    return Files.readString(dir.resolve("err1"));
  }

  private static void assertDone(Process process) throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
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
    Path archive = checkout.resolve(".launcher/evenkeel-cli/evenkeel-9.tar.gz");
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
        .contains(".launcher/build.log");
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
  void build_mavenLeftNothing_saysSo() throws Exception {
    ScriptRunner.Result result = version("idle");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("Maven ended without an error but left no ");
    assertThat(lock()).doesNotExist();
  }

  @Test
  void build_argumentsForMaven_reachIt() throws Exception {
    Files.copy(ROOT.resolve("mvnw"), checkout.resolve("mvnw"), REPLACE_EXISTING, COPY_ATTRIBUTES);
    Path wrapper = Files.createDirectories(checkout.resolve(".mvn/wrapper"));
    Path properties = ROOT.resolve(".mvn/wrapper/maven-wrapper.properties");
    Files.copy(properties, wrapper.resolve("maven-wrapper.properties"));
    runner.run(checkout.resolve("evenkeel"), Map.of("MAVEN_ARGS", "-o --version"), "--version");
    String printed = Files.readString(checkout.resolve(".launcher/build.log"));
    String version = printed.replaceFirst("(?s).*?Apache Maven ([0-9.]+) .*", "$1");
    assertThat(properties).content().contains("/apache-maven-" + version + "-bin.zip");
  }

  @Test
  void build_windows_isRefusedWithOneLine() throws Exception {
    ScriptRunner.Result result =
        runner.run(checkout.resolve("evenkeel"), Map.of("OSTYPE", "msys"), "--version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("evenkeel: Windows is not supported; run it on Linux\n");
    assertThat(builds()).isZero();
  }

  @Test
  void build_twoAtOnce_buildOnceAndBothRun() throws Exception {
    Process first = runner.start(checkout.resolve("evenkeel"), environment("wait"), "--version");
    Await.until("a build", () -> builds() == 1);
    Process second = runner.start(checkout.resolve("evenkeel"), environment("wait"), "--version");
    Path said = dir.resolve("err2");
    String waiting = "waiting for the build of process " + first.pid() + " on ";
    Await.until("the second waits", () -> Files.readString(said).contains(waiting));
    Files.createFile(checkout.resolve("go"));
    assertDone(first);
    assertDone(second);
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void build_besideMaven_leavesItsDirectoriesAlone() throws Exception {
    Path classes = Files.createDirectories(checkout.resolve("cli/target/classes"));
    version("");
    assertThat(checkout.resolve("target")).doesNotExist();
    assertThat(classes.getParent()).isDirectoryContaining("glob:**/classes");
    assertThat(classes.getParent().toFile().list()).hasSize(1);
  }

  @Test
  void lock_ofADeadProcess_isTakenOver() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    lockedBy(dead.pid() + " 1 $(pid_place) here");
    assertThat(version("").code()).isZero();
    assertThat(lock()).doesNotExist();
  }

  @Test
  void lock_ofAProcessWhosePidIsInUseAgain_isTakenOver() throws Exception {
    lockedBy(ProcessHandle.current().pid() + " 1 $(pid_place) here");
    assertThat(version("").code()).isZero();
    assertThat(lock()).doesNotExist();
  }

  @Test
  void lock_ofAZombie_isTakenOver() throws Exception {
    // the child waits until its shell is no shell any more, which would collect it
    String childOfSleep =
        """
        until read -r comm </proc/$$/comm && [ "$comm" = sleep ]; do :; done &
        echo $! >"$0"
        exec sleep 100
        """;
    Path pid = dir.resolve("zombie");
    Process parent = new ProcessBuilder("bash", "-c", childOfSleep, pid.toString()).start();
    try {
      Await.until("a zombie", () -> "Z".equals(statOf(pid, 3)));
      lockedBy(Files.readString(pid).trim() + " " + statOf(pid, 22) + " $(pid_place) here");
      assertDone(startWith(SECONDS_PASS));
    } finally {
      parent.destroyForcibly().waitFor();
    }
  }

  /** A field of /proc/PID/stat, counted from 1 as in its manual; null while there is none. */
  private static String statOf(Path pid, int field) throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/stat")), "no /proc here");
    String number = Files.exists(pid) ? Files.readString(pid).trim() : "";
    Path stat = Path.of("/proc", number, "stat");
    if (number.isEmpty() || !Files.exists(stat)) {
      return null;
    }
    String text = Files.readString(stat);
    return text.substring(text.lastIndexOf(')') + 2).split(" ", -1)[field - 3];
  }

  @Test
  void lock_ofAnotherUsersProcess_isLeftToIt() throws Exception {
    long pid = ProcessHandle.current().pid();
    lockedBy(pid + " $(start_time " + pid + ") $(pid_place) here");
    Process process = startWith(NOT_PERMITTED + RELEASED_AFTER_200_S);
    assertDone(process);
    assertThat(errors()).contains("waiting for the build of process " + pid + " on here\n");
    assertThat(checkout.resolve("released")).exists();
  }

  @Test
  void lock_ofAHiddenProcess_isLeftToItAsLongAsItShowsLife() throws Exception {
    // nothing of it in /proc, as with hidepid=2
    lockedBy("999999999 1 $(pid_place) here");
    Process process = startWith(NOT_PERMITTED + BEATING + RELEASED_AFTER_200_S);
    assertDone(process);
    assertThat(checkout.resolve("released")).exists();
  }

  @Test
  void lock_ofAnotherContainer_isLeftToItAsLongAsItShowsLife() throws Exception {
    lockedBy("1 1 another/pid:[7] there");
    Process process = startWith(BEATING + RELEASED_AFTER_200_S);
    assertDone(process);
    assertThat(errors()).contains("process 1 on there, until it shows no sign of life for 30 s\n");
    assertThat(checkout.resolve("released")).exists();
  }

  @Test
  void lock_ofARestartedContainer_isTakenOverWithoutASignOfLife() throws Exception {
    // this very process, if PID and start time were all there is to look at
    long pid = ProcessHandle.current().pid();
    lockedBy(pid + " $(start_time " + pid + ") another/pid:[7] there");
    assertDone(startWith(SECONDS_PASS + RELEASED_AFTER_200_S));
    assertThat(builds()).isEqualTo(1);
    assertThat(checkout.resolve("released")).doesNotExist();
  }

  @Test
  void lock_removedDuringTheBuild_endsIt() throws Exception {
    Process process = runner.start(checkout.resolve("evenkeel"), environment("hang"), "--version");
    Path noted = checkout.resolve("builder");
    Await.until("a build", () -> noted.toFile().length() > 0);
    long builder = Long.parseLong(Files.readString(noted).trim());
    assertThat(lock().resolve("owner").toFile().delete()).isTrue();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(errors()).contains("lock was removed during the build");
    assertThat(ProcessHandle.of(builder).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void build_interrupted_ends130AndLeavesNothingRunning() throws Exception {
    assumeFalse(ScriptRunner.interruptIsIgnored(), "this JVM was started with SIGINT ignored");
    Process process = runner.start(checkout.resolve("evenkeel"), environment("hang"), "--version");
    Path noted = checkout.resolve("builder");
    Await.until("a build", () -> noted.toFile().length() > 0);
    long builder = Long.parseLong(Files.readString(noted).trim());
    ScriptRunner.interrupt(process);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(lock()).doesNotExist();
    Optional<ProcessHandle> left = ProcessHandle.of(builder);
    Await.until("no build", () -> left.isEmpty() || !left.get().isAlive());
  }
}
