package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionServerSectionTest {
  private static List<String> stock(boolean every) {
    Progress progress =
        new Progress(new PrintStream(System.err, true, StandardCharsets.UTF_8), false);
    return new RegionServerSection(Path.of("unused"), progress)
        .arms(every).stream().filter(arm -> !arm.evenkeel()).map(Arm::name).toList();
  }

  @Test
  void arms_ofADemo_haveTheTunedMoverAsStockAtItsBest() {
    assertThat(stock(false)).containsExactly("renamed only", "hdfs mover after the renames, tuned");
  }

  @Test
  void arms_ofEveryArm_addTheDefaultsAndTheSatisfier() {
    assertThat(stock(true))
        .containsExactly(
            "renamed only",
            "hdfs mover after the renames, tuned",
            "hdfs mover after the renames",
            "satisfier asked for each file",
            "satisfier asked for each file, tuned");
  }
}
