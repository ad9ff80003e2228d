package io.evenkeel.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class LayoutTest {
  @Test
  void vms_threeHostsTwoRacks_areNumberedHostByHost() {
    assertThat(new Layout(3, 2, 2).vms())
        .extracting(vm -> vm.name() + " " + vm.path() + " " + vm.address())
        .containsExactly(
            "dn1 /rack1/host1 127.0.1.1",
            "dn2 /rack1/host1 127.0.1.2",
            "dn3 /rack1/host2 127.0.2.1",
            "dn4 /rack1/host2 127.0.2.2",
            "dn5 /rack2/host3 127.0.3.1",
            "dn6 /rack2/host3 127.0.3.2");
  }

  @ParameterizedTest
  @CsvSource({"250,1,250", "1,250,1", "10,25,3"})
  void vms_atTheLimit_haveDistinctAddressesAndUseEveryRack(int hosts, int vms, int racks) {
    Layout layout = new Layout(hosts, vms, racks);
    assertThat(layout.vms()).extracting(Layout.Vm::address).doesNotHaveDuplicates().hasSize(250);
    assertThat(layout.vms().stream().map(Layout.Vm::rack).distinct()).hasSize(racks);
  }

  @ParameterizedTest
  @CsvSource({
    "0,2,1,--hosts 0",
    "251,1,1,--hosts 251",
    "3,0,1,--vms-per-host 0",
    "3,2,0,--racks 0",
    "3,2,4,at most the number of hosts",
    "126,2,1,at most 250 VMs",
    "250,2147483647,1,at most 250"
  })
  void layout_outOfRange_isUsageAndNamesTheOption(int hosts, int vms, int racks, String text) {
    assertThatThrownBy(() -> new Layout(hosts, vms, racks))
        .hasMessageContaining(text)
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }
}
