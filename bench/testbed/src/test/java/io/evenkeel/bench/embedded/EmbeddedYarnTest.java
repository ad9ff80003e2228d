package io.evenkeel.bench.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.runtime.Layout;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedYarnTest {
  @TempDir Path dir;

  @AfterEach
  void forget() {
    ResourceUtils.resetResourceTypes(new Configuration());
  }

  @Test
  void configuration_resourcesAskedForBefore_leastContainerIsThatOfTheSettings() {
    assertThat(Resource.newInstance(1, 1).getMemorySize()).isEqualTo(1); // reads the defaults
    HostPlan plan = HostPlan.of(new Layout(1, 1, 1));
    Configuration conf = EmbeddedYarn.configuration(EmbeddedSettings.yarn(plan, dir));
    assertThat(conf.get("yarn.scheduler.minimum-allocation-mb")).isEqualTo("128");
    assertThat(ResourceUtils.getResourceTypesMinimumAllocation().getMemorySize()).isEqualTo(128);
  }
}
