package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class LiveMigrationTest {
  private static final String GOOD = "/r1/n1/a:1, /r1/n2/b:1, /r2/n3/c:1";
  private static final String BAD = "/r1/n1/a:1, /r1/n1/d:1, /r2/n3/c:1";

  private final List<FakeDaemon> started = new ArrayList<>();
  private final EvenkeelRunner cli = new EvenkeelRunner();

  @AfterEach
  void stop() {
    started.forEach(FakeDaemon::close);
  }

  private FakeDaemon nameNode(String state) throws IOException {
    FakeDaemon daemon = FakeDaemon.nameNode(state);
    started.add(daemon);
    return daemon;
  }

  private String serve(FakeNamespace files) throws IOException {
    return files.nameNode(nameNode("active")).url();
  }

  private Map<?, ?> json() {
    return (Map<?, ?>) Json.parse(cli.out());
  }

  private static Map<?, ?> member(Map<?, ?> json, String name) {
    return (Map<?, ?>) json.get(name);
  }

  @Test
  void migrate_fewBlocks_areReadWhole() throws IOException {
    FakeNamespace files = new FakeNamespace().file("/a/f", GOOD).file("/b c/\u00e4&?", BAD);
    String url = serve(files);
    assertThat(cli.run("simulate", "--migrate", url + "/", "--user", "me")).isZero();
    assertThat(cli.out())
        .isEqualTo(
            "Listing: NameNode "
                + url
                + ", 2 blocks, 200 B without replicas, 3 hosts in 2 racks\n"
                + "Replicated blocks on too few hosts or racks: 1\n"
                + "Striped groups on too few hosts or racks: 0\n"
                + "Copies the NameNode will make: 1\n"
                + "Bytes it will copy: 100 B\n");
    assertThat(files.checked).containsExactly("/");
  }

  @Test
  void migrate_hostAndPort_isAnAddressToo() throws IOException {
    String url = serve(new FakeNamespace().file("/a/f", BAD));
    assertThat(cli.run("simulate", "--migrate", url.substring("http://".length()))).isZero();
    assertThat(cli.out()).startsWith("Listing: NameNode " + url);
  }

  /** Directories of all sizes, each with its own share of blocks that break a rule. */
  private static FakeNamespace uneven(int directories, SplittableRandom random) {
    FakeNamespace files = new FakeNamespace();
    for (int d = 0; d < directories; d++) {
      double share = random.nextInt(3) / 4.0;
      int size = 1 + random.nextInt(60);
      for (int f = 0; f < size; f++) {
        String path = "/t" + d % 7 + "/p" + d + "/f" + f;
        files.file(path, random.nextDouble() < share ? BAD : GOOD);
      }
    }
    for (int f = 0; f < 300; f++) {
      files.file("/t0/top" + f, f % 3 == 0 ? BAD : GOOD);
      files.file("/flat/g" + f, f < 30 ? BAD : GOOD);
    }
    return files;
  }

  @Test
  void migrate_manyBlocks_areDrawn_andTheRangeHoldsTheTruth() throws IOException {
    FakeNamespace files = uneven(120, new SplittableRandom(5));
    String url = serve(files);
    cli.run("simulate", "--migrate", url, "--json");
    double truth = ((Number) member(json(), "copies").get("value")).doubleValue();
    assertThat(json().get("sample")).isNull();
    assertThat(truth).isGreaterThan(500);
    int inside = 0;
    for (int seed = 0; seed < 20; seed++) {
      files.checked.clear();
      EvenkeelRunner part = new EvenkeelRunner();
      assertThat(part.run("simulate", "--migrate", url, "--sample", 900, "--seed", seed, "--json"))
          .isZero();
      Map<?, ?> json = (Map<?, ?>) Json.parse(part.out());
      assertThat((Long) json.get("listedBlocks")).isLessThan(files.size() / 2);
      assertThat(json.get("totalBlocks")).isEqualTo((long) files.size());
      assertThat(member(json, "sample").get("seed")).isEqualTo((long) seed);
      assertThat(member(json, "sample").get("paths")).isEqualTo((long) files.checked.size());
      assertThat((Long) member(json, "sample").get("draws")).isGreaterThanOrEqualTo(30);
      Map<?, ?> copies = member(json, "copies");
      assertThat(((Number) copies.get("standardError")).doubleValue()).isPositive();
      boolean holds = (Long) copies.get("low") <= truth && truth <= (Long) copies.get("high");
      inside += holds ? 1 : 0;
    }
    assertThat(inside).isGreaterThanOrEqualTo(16);
  }

  @Test
  void migrate_sampleInWords_saysWhatWasLookedAt() throws IOException {
    String url = serve(uneven(60, new SplittableRandom(1)));
    assertThat(cli.run("simulate", "--migrate", url, "--sample", 300)).isZero();
    assertThat(cli.out())
        .containsPattern("Listing: NameNode \\S+, \\d+ blocks of [\\d,]+, ")
        .containsPattern("Sample: 30 draws by number of files, seed 9608, \\d+ paths read; ")
        .containsPattern(
            "Copies the NameNode will make: \\d+ \\(\\d+ to \\d+, 95 % confidence, standard error");
  }

  @Test
  void migrate_sameSeed_sameAnswer() throws IOException {
    String url = serve(uneven(60, new SplittableRandom(1)));
    cli.run("simulate", "--migrate", url, "--sample", 300, "--seed", 4);
    EvenkeelRunner again = new EvenkeelRunner();
    again.run("simulate", "--migrate", url, "--sample", 300, "--seed", 4);
    EvenkeelRunner other = new EvenkeelRunner();
    other.run("simulate", "--migrate", url, "--sample", 300, "--seed", 5);
    assertThat(again.out()).isEqualTo(cli.out());
    assertThat(other.out()).isNotEqualTo(cli.out());
  }

  @Test
  void migrate_noBlock_nothingToDo() throws IOException {
    assertThat(cli.run("simulate", "--migrate", serve(new FakeNamespace()))).isEqualTo(3);
  }

  @Test
  void migrate_standby_couldNotRun() throws IOException {
    String url = nameNode("standby").url();
    assertThat(cli.run("simulate", "--migrate", url)).isEqualTo(1);
    assertThat(cli.err()).isEqualTo("evenkeel: " + url + " is standby; give the active NameNode\n");
  }

  @Test
  void migrate_noAnswer_couldNotRun() throws IOException {
    FakeDaemon gone = nameNode("active");
    gone.close();
    assertThat(cli.run("simulate", "--migrate", gone.url())).isEqualTo(1);
    assertThat(cli.err()).startsWith("evenkeel: " + gone.url() + " cannot be reached: ");
  }

  @Test
  void migrate_otherDaemon_couldNotRun() throws IOException {
    FakeDaemon other = FakeDaemon.start();
    started.add(other);
    assertThat(cli.run("simulate", "--migrate", other.url())).isEqualTo(1);
    assertThat(cli.err()).contains("answers, but is no NameNode");
  }

  private FakeDaemon withBlocks(int blocks, String fsck) throws IOException {
    return nameNode("active")
        .bean("Hadoop:service=NameNode,name=FSNamesystemState", Map.of("BlocksTotal", blocks))
        .servlet("/fsck", (path, query) -> fsck);
  }

  @Test
  void migrate_fsckDenied_isDenied() throws IOException {
    FakeDaemon daemon =
        withBlocks(
            5,
            "FSCK started by me\n/ <dir>\nFSCK ended at now in 1 milliseconds\n"
                + "Permission denied: user=me, access=READ_EXECUTE\n\n\n"
                + "Fsck on path '/' FAILED");
    assertThat(cli.run("simulate", "--migrate", daemon.url(), "--user", "me")).isEqualTo(5);
    assertThat(cli.err())
        .isEqualTo(
            "evenkeel: "
                + daemon.url()
                + "/fsck of / failed: Permission denied: user=me, access=READ_EXECUTE; asked as"
                + " me, give a --user who may read everything\n");
  }

  @Test
  void migrate_fsckBrokenOff_couldNotRun() throws IOException {
    FakeDaemon daemon = withBlocks(5, "FSCK started by me\n");
    assertThat(cli.run("simulate", "--migrate", daemon.url())).isEqualTo(1);
    assertThat(cli.err()).contains("/fsck of / ended without its summary");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | '' | 1 | asks for Kerberos; run 'hdfs fsck / -files -blocks -locations -racks > FILE'"
            + " and give --migrate FILE",
        "403 | '{\"RemoteException\":{\"exception\":\"AccessControlException\","
            + "\"message\":\"no way\"}}' | 5 | denied it: no way; asked as me",
        "404 | '<html>' | 1 | answered 404; run 'hdfs fsck"
      })
  void migrate_webHdfsRefuses_saysWhatToDo(int code, String body, int exit, String message)
      throws IOException {
    FakeDaemon daemon = withBlocks(5000, "");
    daemon.servlet(
        "/webhdfs",
        (path, query) -> {
          throw new FakeDaemon.Refused(code, body);
        });
    assertThat(cli.run("simulate", "--migrate", daemon.url(), "--sample", 9, "--user", "me"))
        .isEqualTo(exit);
    assertThat(cli.err()).contains(message);
    assertThat(cli.err().trim().lines()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--migrate http://a | 'http://a' is not an address; write http://host:port",
        "--migrate http://a:1 --total-blocks 5 | --total-blocks cannot be used with --migrate URL",
        "--migrate http://a:1 --sample 0 | --sample = 0 is not allowed; use 1..",
        "--migrate http://a:1 --timeout 0 | --timeout = 0 is not allowed; use 1..3600",
        "--migrate - --sample 5 | --sample cannot be used with --migrate FILE",
        "--migrate - --seed 5 | --seed cannot be used with --migrate FILE",
        "--hosts 3 --user me | --user needs --migrate URL"
      })
  void migrate_misuse_isToldInOneLine(String arguments, String message) {
    List<String> all = new ArrayList<>(List.of("simulate"));
    all.addAll(List.of(arguments.split(" ")));
    assertThat(cli.run(all.toArray())).isEqualTo(64);
    assertThat(cli.err()).contains(message);
  }
}
