package io.evenkeel.bench.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class HostPlanTest {
  @TempDir Path dir;

  private final HostPlan plan = HostPlan.of(new Layout(6, 2, 2));

  @Test
  void of_demoShape_twelveVmsOnSixHostsInTwoRacks() {
    assertThat(plan.vms()).hasSize(12);
    assertThat(plan.vms().get(0)).extracting(Vm::name, Vm::path).contains("dn1", "/rack1/host1");
    assertThat(plan.vms().get(11)).extracting(Vm::name, Vm::path).contains("dn12", "/rack2/host6");
  }

  @Test
  void of_everyHost_hasTwoVmsInOneRack() {
    assertThat(plan.vms().stream().collect(Collectors.groupingBy(Vm::path)).values())
        .allSatisfy(
            vms -> {
              assertThat(vms).hasSize(2);
              assertThat(vms.stream().map(Vm::rack).distinct()).hasSize(1);
            });
  }

  @Test
  void addresses_whereTheSystemHasThem_areDistinct() {
    assertThat(plan.byAddress()).hasSize(plan.ownAddresses() ? 12 : 1);
  }

  @Test
  void writeHostsFile_holdsEveryNameAndLocalhost() throws Exception {
    Path file = dir.resolve("hosts");
    plan.writeHostsFile(file);
    assertThat(Files.readAllLines(file))
        .contains("127.0.0.1 localhost")
        .anyMatch(line -> line.endsWith(" dn1"))
        .anyMatch(line -> line.endsWith(" dn12"));
  }

  @Test
  void nodeMapping_namesEveryVmWithItsNodeGroup() {
    assertThat(plan.nodeMapping().split(",")).contains("dn3=/rack1/host2", "dn12=/rack2/host6");
  }
}
