package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkeel simulate} with the policies of Hadoop and ours in a JVM of their own. */
@Timeout(300)
class SimulateIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");

  @TempDir Path dir;
  private final EvenkeelRunner cli = new EvenkeelRunner();

  private List<?> policies() {
    return (List<?>) ((Map<?, ?>) Json.parse(cli.out())).get("policies");
  }

  private static double figure(Object policy, String name) {
    return ((Number) ((Map<?, ?>) policy).get(name)).doubleValue();
  }

  @Test
  void simulate_madeUpCluster_comparesAllPolicies() {
    assertThat(
            cli.run(
                "simulate",
                "--hosts",
                16,
                "--vms",
                4,
                "--racks",
                4,
                "--blocks",
                8_000,
                "--hadoop",
                HADOOP,
                "--json"))
        .isZero();
    List<?> all = policies();
    assertThat(all)
        .extracting(one -> String.valueOf(((Map<?, ?>) one).get("policy")))
        .containsExactly("stock-default", "stock-nodegroup", "uniform");
    for (Object one : all) {
      assertThat(figure(one, "mean")).isEqualTo(375);
      assertThat(figure(one, "oneRack") + figure(one, "short")).isZero();
    }
    // Three of the fifteen others on the second replica's rack are on its host.
    assertThat(figure(all.get(0), "sharedHost") / 8_000).isBetween(0.15, 0.25);
    assertThat(figure(all.get(1), "sharedHost")).isZero();
    assertThat(figure(all.get(2), "sharedHost")).isZero();
    assertThat(figure(all.get(1), "maxOverMean")).isBetween(1.03, 1.3);
    assertThat(figure(all.get(2), "maxOverMean")).isBetween(1.0, 1.02);
    assertThat(figure(all.get(2), "inFlightMaxOverMean"))
        .isLessThan(figure(all.get(1), "inFlightMaxOverMean"));
  }

  @Test
  void simulate_topologyWithWeights_isDrawnAndFilledByThem() throws Exception {
    Path html = dir.resolve("a.html");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      text.append(String.format("h%d:1 /r%d weight=%s%n", i, i % 3, i < 6 ? "0.15" : "0.1"));
    }
    cli.input(text.toString());
    assertThat(
            cli.run(
                "simulate",
                "--topology",
                "-",
                "--policy",
                "UNIFORM",
                "--policy",
                "uniform",
                "--writers",
                "outside",
                "--blocks",
                3_000,
                "--hadoop",
                HADOOP,
                "--html",
                html,
                "--json"))
        .isZero();
    assertThat(policies()).hasSize(1);
    Object uniform = policies().get(0);
    assertThat(figure(uniform, "max") / figure(uniform, "min")).isBetween(1.4, 1.6);
    assertThat(figure(uniform, "maxOverMean")).isBetween(1.0, 1.03);
    assertThat(Files.readString(html)).contains("<td>uniform</td>", "12 DataNodes on 12 hosts");
  }

  @Test
  void simulate_pageInNoDirectory_isRefusedBeforeTheSimulation() {
    assertThat(page(dir.resolve("no/a.html"))).isEqualTo(64);
    assertThat(cli.err()).contains("a.html cannot be written: its directory does not exist\n");
    assertThat(cli.out()).isEmpty();
  }

  @Test
  void simulate_noRoomForThePage_couldNotRunButPrints() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "no /dev/full here");
    assertThat(page(full)).isEqualTo(1);
    assertThat(cli.err()).contains("--html /dev/full cannot be written: ").hasLineCount(1);
    assertThat(cli.out()).containsPattern("(?m)^uniform +100 ");
  }

  private int page(Path html) {
    return cli.run(
        "simulate", "--hosts", 4, "--policy", "uniform", "--hadoop", HADOOP, "--html", html);
  }

  @Test
  void simulate_noSuchRelease_isOneLine() {
    assertThat(cli.run("simulate", "--hosts", 3, "--hadoop", "3.999.0")).isEqualTo(1);
    assertThat(cli.err()).startsWith("evenkeel: ").contains("Hadoop 3.999.0").hasLineCount(1);
    assertThat(cli.out()).isEmpty();
  }
}
