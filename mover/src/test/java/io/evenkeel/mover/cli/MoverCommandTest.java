package io.evenkeel.mover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.follow.MoveService;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.GenericOptionsParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command over movers that move nothing. */
@Timeout(120)
class MoverCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Configuration conf = new Configuration(false);
  private InputStream in = InputStream.nullInputStream();
  private Configuration used;
  private FakeMovers movers = new FakeMovers(MoverCommandTest::moved);

  private MoverCommand.Daemon daemon =
      (c, o) -> {
        used = c;
        o.println("follows");
      };

  @TempDir private Path dir;

  @BeforeEach
  void name() {
    conf.set("fs.defaultFS", "hdfs://ns1");
    conf.set("dfs.nameservices", "ns1,ns2"); // which have no port
  }

  private static FileReport moved(String path) {
    return FileReport.of(path, FileOutcome.MOVED, "");
  }

  private static Function<String, FileReport> all(FileOutcome outcome) {
    return path -> FileReport.of(path, outcome, "why");
  }

  private int run(String... args) {
    return run(movers, args);
  }

  private int run(MoverCommand.Opener with, String... args) {
    MoverCommand.Opener opener =
        (c, namenode) -> {
          used = c;
          return with.open(c, namenode);
        };
    PrintStream outStream = new PrintStream(out, true);
    PrintStream errStream = new PrintStream(err, true);
    return new MoverCommand(in, outStream, errStream, opener, daemon).run(conf, args);
  }

  private void input(String text) {
    input(text, StandardCharsets.UTF_8);
  }

  private void input(String text, Charset charset) {
    in = new ByteArrayInputStream(text.getBytes(charset));
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void run_allMoved_isZeroWithASummary() {
    assertThat(run("/a", "-p", "/b")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("files: 2 moved\n");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(movers.asked).containsExactlyInAnyOrder("hdfs://ns1 /a", "hdfs://ns1 /b");
    assertThat(movers.closed).containsExactly(URI.create("hdfs://ns1"));
  }

  @Test
  void run_severalNamespaces_asksEachAndNamesThem() {
    movers = new FakeMovers(all(FileOutcome.NO_TARGET));
    assertThat(run("/a", "hdfs://ns1/b", "hdfs://nn2:8020/c", "hdfs://nn2:8020/d*")).isEqualTo(2);
    assertThat(movers.asked)
        .containsExactlyInAnyOrder(
            "hdfs://ns1 /a", "hdfs://ns1 /b", "hdfs://nn2:8020 /c", "hdfs://nn2:8020 glob /d*");
    assertThat(movers.requests).hasSize(2);
    assertThat(movers.closed).hasSize(2);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("  hdfs://nn2:8020/c: no target (why)\n");
  }

  @Test
  void run_namenodeInSeveralSpellings_isOpenedOnce() {
    conf.set("fs.defaultFS", "hdfs://nn1");
    assertThat(run("/a", "hdfs://nn1:8020/b", "hdfs://nn1/c", "hdfs:///d", "hdfs://nn1/e*"))
        .isZero();
    assertThat(movers.closed).containsExactly(URI.create("hdfs://nn1:8020"));
    assertThat(movers.requests).hasSize(1);
    assertThat(movers.asked)
        .containsExactlyInAnyOrder(
            "hdfs://nn1:8020 /a",
            "hdfs://nn1:8020 /b",
            "hdfs://nn1:8020 /c",
            "hdfs://nn1:8020 /d",
            "hdfs://nn1:8020 glob /e*");
  }

  @Test
  void run_nameserviceWithTheDefaultPort_isTheNameservice() {
    assertThat(run("/a", "hdfs://ns1:8020/b")).isZero();
    assertThat(movers.closed).containsExactly(URI.create("hdfs://ns1"));
  }

  @Test
  void run_options_areInTheRequest() {
    run(
        "/a",
        "--dry-run",
        "--policy",
        "COLD",
        "--throttle",
        "1k",
        "--deadline",
        "5m",
        "--delay",
        "1s",
        "--snapshots");
    MoveRequest request = movers.requests.get(0);
    assertThat(request.isDryRun()).isTrue();
    assertThat(request.policyOverride()).isEqualTo("COLD");
    assertThat(request.bytesPerSecond()).isEqualTo(1024);
    assertThat(request.deadline()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(5));
    assertThat(request.delay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(request.includesSnapshots()).isTrue();
  }

  @Test
  void run_globWithoutMatchBesideMovedFiles_isNoSuchPath() {
    movers = new FakeMovers(p -> p.equals("/no*") ? all(FileOutcome.MISSING).apply(p) : moved(p));
    assertThat(run("/a", "/no*")).isEqualTo(4);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("/no*");
  }

  @Test
  void run_json_isOneDocument() {
    movers = new FakeMovers(all(FileOutcome.PENDING_OPEN));
    assertThat(run("/a", "--json", "--verbose")).isEqualTo(2);
    Map<?, ?> json = (Map<?, ?>) Json.parse(out.toString(StandardCharsets.UTF_8));
    assertThat(json.get("exitCode")).isEqualTo(2L);
    assertThat(((Map<?, ?>) json.get("outcomes")).get("PENDING_OPEN")).isEqualTo(1L);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("/a: pending, open for writing (why)\n");
  }

  @Test
  void run_moverFails_saysWhyAlsoInJson() {
    movers =
        new FakeMovers(
            path -> {
              throw new CommandException(ExitCode.DENIED, "not the superuser");
            });
    assertThat(run("/a", "--json")).isEqualTo(5);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("mover: not the superuser\n");
    assertThat(((Map<?, ?>) Json.parse(out.toString(StandardCharsets.UTF_8))).get("failure"))
        .isEqualTo("not the superuser");
    assertThat(movers.closed).hasSize(1);
  }

  @Test
  void run_usage_is64AndOpensNothing() {
    assertThat(run()).isEqualTo(64);
    assertThat(run("/a", "--bogus")).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("mover: no path is given", "Try 'mover --help'.");
    conf.set("fs.defaultFS", "file:///");
    assertThat(run("/x")).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("'/x' names no NameNode and fs.defaultFS is file:///; give hdfs://");
    assertThat(movers.requests).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a/b|'a/b' is not an absolute path",
        "file:///a|'file:///a' is not in HDFS; give hdfs://authority/path",
        "viewfs://c/a|'viewfs://c/a' is not in HDFS",
        "hdfs://ns|'hdfs://ns' is not an absolute path",
        "hdfs:a|'hdfs:a' java.net.URISyntaxException: Relative path in absolute URI",
      })
  void run_badPath_is64NamingIt(String path, String message) {
    assertThat(run("/ok", "-p", path)).isEqualTo(64);
    assertThat(err()).startsWith("mover: " + message);
    assertThat(movers.closed).isEmpty();
  }

  @Test
  void run_emptyPath_is64() {
    assertThat(run("")).isEqualTo(64);
    assertThat(err()).contains("'' Can not create a Path from an empty string");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hdfs://ns2//a b/%20:c//|hdfs://ns2 /a b/%20:c",
        "hdfs:///a|hdfs://ns1 /a",
        "/a:b/@x|hdfs://ns1 /a:b/@x",
        "//|hdfs://ns1 /",
        "//ns2/x|hdfs://ns1 /ns2/x",
        "/a/../b|hdfs://ns1 /b",
        "/a/{b,c}|hdfs://ns1 glob /a/{b,c}",
        "/a[0]|hdfs://ns1 glob /a[0]",
        "/a\\*|hdfs://ns1 glob /a\\*",
      })
  void run_pathAsItMayBeWritten_isAskedForAsHdfsCallsIt(String path, String asked) {
    assertThat(run(path)).isZero();
    assertThat(movers.asked).containsExactly(asked);
  }

  @Test
  void run_lists_areReadWithoutBlanksAndComments() throws Exception {
    Path list = Files.writeString(dir.resolve("l"), "# all\n\n/a b \r\n   \nhdfs://ns2/c\n/[x]");
    input("/in\n");
    assertThat(run("-f", list.toString(), "-")).isZero();
    assertThat(movers.asked)
        .containsExactlyInAnyOrder(
            "hdfs://ns1 /a b ", "hdfs://ns2 /c", "hdfs://ns1 /[x]", "hdfs://ns1 /in");
  }

  @Test
  void run_badLists_moveNothing() throws Exception {
    Path empty = Files.writeString(dir.resolve("empty"), "");
    Path comments = Files.writeString(dir.resolve("comments"), "# no\n\n");
    Path relative = Files.writeString(dir.resolve("relative"), "/a\nb\n");
    Path binary = Files.write(dir.resolve("binary"), new byte[] {'/', (byte) 0xff, '\n'});
    assertThat(run("-f", empty.toString())).isEqualTo(64);
    assertThat(run("-f", comments.toString())).isEqualTo(64);
    assertThat(run("/a", "-f", relative.toString())).isEqualTo(64);
    assertThat(run("-f", dir.toString())).isEqualTo(1);
    assertThat(run("-f", "/no/such/list")).isEqualTo(4);
    assertThat(run("-f", binary.toString())).isEqualTo(1);
    assertThat(run("/a", "-")).isEqualTo(64);
    input("/a\nb\u00e9", StandardCharsets.ISO_8859_1);
    assertThat(run("-")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .satisfiesExactly(
            line -> assertThat(line).endsWith("empty holds no path"),
            line -> assertThat(line).endsWith("comments holds no path"),
            line -> assertThat(line).contains("relative line 2: 'b' is not an absolute path"),
            line -> assertThat(line).contains("cannot be read", "directory"),
            line -> assertThat(line).contains("/no/such/list"),
            line -> assertThat(line).endsWith("binary cannot be read: it is not text in UTF-8"),
            line -> assertThat(line).contains("standard input holds no path"),
            line ->
                assertThat(line)
                    .endsWith("standard input cannot be read: it is not text in UTF-8"));
    assertThat(movers.requests).isEmpty();
  }

  @Test
  void run_standardInput_isReadToItsEndBeforeAnythingIsOpened() {
    AtomicInteger openedBefore = new AtomicInteger(-1);
    InputStream lines = new ByteArrayInputStream("/a\n/b\n".getBytes(StandardCharsets.UTF_8));
    in =
        new SequenceInputStream(
            lines,
            new InputStream() {
              @Override
              public int read() {
                openedBefore.set(movers.requests.size());
                return -1;
              }
            });
    assertThat(run("-")).isZero();
    assertThat(openedBefore).hasValue(0);
    assertThat(movers.requests).hasSize(1);
    assertThat(movers.asked).containsExactly("hdfs://ns1 /a", "hdfs://ns1 /b");
  }

  @Test
  void run_requestEndsBeforeItsPaths_theOthersAreNotReached() {
    input("/a\n/b\nhdfs://ns2/c\n/d\n");
    assertThat(run((c, namenode) -> new TakesOne(true), "-")).isEqualTo(2);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("files: 2 moved, 2 cancelled\n")
        .contains("  hdfs://ns1/b: cancelled (not reached)\n", "  hdfs://ns1/d: cancelled");
  }

  @Test
  void run_interruptedBeforeAllPathsAreTaken_theOthersAreNotReached() throws Exception {
    input("/a\n/b\nb\n/c\n");
    TakesOne mover = new TakesOne(false);
    int[] code = {-1};
    Thread runner = new Thread(() -> code[0] = run((c, namenode) -> mover, "-"));
    runner.start();
    Await.until("one is taken", () -> mover.taken);
    runner.interrupt();
    runner.join();
    assertThat(code[0]).isEqualTo(130);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("files: 1 moved, 2 cancelled, 1 failed\n")
        .contains(
            "  /b: cancelled (not reached)\n",
            "  /c: cancelled",
            "  b: failed (standard input line 3: ");
  }

  /** Moves the first path of a request and leaves the others. */
  private static final class TakesOne implements MoveService {
    private final boolean ends;
    private volatile boolean taken;

    TakesOne(boolean ends) {
      this.ends = ends;
    }

    @Override
    public CompletableFuture<MoveReport> move(MoveRequest request) {
      FileReport file = moved(request.paths().iterator().next());
      request.listener().fileDone(file);
      taken = true;
      return ends
          ? CompletableFuture.completedFuture(new MoveReport.Builder().add(file).build())
          : new CompletableFuture<>();
    }
  }

  @Test
  void run_interruptedWhileItOpens_saysSo() {
    MoverCommand.Opener interrupted =
        (c, namenode) -> {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("Call interrupted");
        };
    assertThat(run(interrupted, "/a")).isEqualTo(130);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("mover: interrupted\n");
  }

  @Test
  void run_secondNamespaceCannotBeOpened_movesNothing() {
    MoverCommand.Opener one =
        (c, namenode) -> {
          if (namenode.getHost().equals("ns2")) {
            throw new IOException("no answer");
          }
          return movers.open(c, namenode);
        };
    assertThat(run(one, "/a", "hdfs://ns2/b")).isEqualTo(1);
    assertThat(movers.requests).isEmpty();
    assertThat(movers.closed).containsExactly(URI.create("hdfs://ns1"));
  }

  @Test
  void run_badLineOfStandardInput_isAFileThatFailed() {
    input("/a\nb\n/c\n");
    assertThat(run("-")).isEqualTo(2);
    assertThat(movers.asked).containsExactly("hdfs://ns1 /a", "hdfs://ns1 /c");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("  b: failed (standard input line 2: 'b' is not an absolute path)");
  }

  @Test
  void run_watch_repeatsUntilSatisfied() {
    AtomicInteger calls = new AtomicInteger();
    movers =
        new FakeMovers(
            path ->
                calls.incrementAndGet() < 3
                    ? FileReport.of(path, FileOutcome.NO_TARGET, "")
                    : moved(path));
    assertThat(run("/a", "--watch", "--interval", "100ms", "--delay", "1s")).isZero();
    assertThat(movers.requests)
        .extracting(MoveRequest::delay)
        .containsExactly(Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO);
    assertThat(movers.closed).hasSize(1);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("files: 1 moved\n")
        .contains("in 3 rounds");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "mover: round 1: 1 no target; again in 100ms\n"
                + "mover: round 2: 1 no target; again in 100ms\n");
  }

  @Test
  void run_watchWithDeadline_endsBeforeIt() {
    movers = new FakeMovers(all(FileOutcome.NO_TARGET));
    assertThat(run("/a", "--watch", "--interval", "1h", "--deadline", "30m")).isEqualTo(2);
    assertThat(movers.requests).hasSize(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void run_watchOfStandardInput_asksForTheSamePathsAgain() {
    AtomicInteger calls = new AtomicInteger();
    movers =
        new FakeMovers(
            path ->
                FileReport.of(
                    path,
                    calls.incrementAndGet() < 2 ? FileOutcome.NO_TARGET : FileOutcome.MOVED,
                    ""));
    input("/a\n");
    assertThat(run("-", "--watch", "--interval", "100ms")).isZero();
    assertThat(movers.asked).containsExactly("hdfs://ns1 /a", "hdfs://ns1 /a");
  }

  @Test
  void run_interruptedBetweenRounds_endsAtOnce() throws Exception {
    movers = new FakeMovers(all(FileOutcome.NO_TARGET));
    int[] code = {-1};
    Thread runner = new Thread(() -> code[0] = run("/a", "--watch", "--interval", "1h"));
    runner.start();
    Await.until("it pauses", () -> err.toString(StandardCharsets.UTF_8).contains("again in 1h"));
    runner.interrupt();
    runner.join();
    assertThat(code[0]).isEqualTo(130);
    assertThat(movers.requests).hasSize(1);
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("files: 1 no target\n");
  }

  @Test
  void run_interrupted_tellsWhatWasDone() throws Exception {
    movers = new FakeMovers(path -> path.equals("/b") ? null : moved(path));
    int[] code = {-1};
    Thread runner = new Thread(() -> code[0] = run("/a", "/b"));
    runner.start();
    Await.until("both are asked for", () -> movers.asked.size() >= 2);
    runner.interrupt();
    runner.join();
    assertThat(code[0]).isEqualTo(130);
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("files: 1 moved\n");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("mover: interrupted\n");
    assertThat(movers.closed).hasSize(1);
  }

  @Test
  void run_stockKeys_areWarnedOfInOneLine() {
    conf.set("dfs.mover.moverThreads", "7");
    conf.set("dfs.mover.retry.max.attempts", "3");
    assertThat(run("/a")).isZero();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "mover: warning: ignored, as it is for hdfs mover only: dfs.mover.moverThreads,"
                + " dfs.mover.retry.max.attempts\n");
  }

  @Test
  void run_stockKeysOnTheCommandLine_areRefused() throws Exception {
    new GenericOptionsParser(conf, new String[] {"-Ddfs.mover.moverThreads=7"});
    assertThat(run("/a")).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "mover: for hdfs mover only: dfs.mover.moverThreads;"
                + " use the evenkeel.mover.* keys instead\n");
    assertThat(movers.asked).isEmpty();
  }

  @Test
  void run_follow_runsTheDaemon() {
    assertThat(run("--follow")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("follows\n");
  }

  @Test
  void run_followThatIsRefused_saysWhyInOneLine() {
    daemon =
        (c, o) -> {
          throw new AccessControlException("not for you\n\tat the NameNode");
        };
    assertThat(run("--follow")).isEqualTo(5);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .endsWith("AccessControlException: not for you");
  }

  @Test
  void run_duringUpgrade_setsItsKeyForTheMoversAndTheDaemon() {
    String key = "evenkeel.mover.run-during-upgrade";
    assertThat(run("/a")).isZero();
    assertThat(used.get(key)).isNull();
    assertThat(run("/a", "--run-during-upgrade")).isZero();
    assertThat(used.get(key)).isEqualTo("true");
    assertThat(run("--follow", "--run-during-upgrade")).isZero();
    assertThat(used.get(key)).isEqualTo("true");
    assertThat(run("--follow")).isZero();
    assertThat(used.get(key)).isNull();
  }

  @Test
  void run_help_listsTheOptions() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("--run-during-upgrade");
  }
}
