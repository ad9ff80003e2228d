package io.evenkeel.placement;

import io.evenkeel.common.testing.HadoopFitContract;
import io.evenkeel.placement.config.PlacementKeys;
import org.apache.hadoop.util.VersionInfo;

class HadoopFitTest extends HadoopFitContract {
  HadoopFitTest() {
    super(PlacementKeys.MODULE, "placement", VersionInfo.getVersion());
  }
}
