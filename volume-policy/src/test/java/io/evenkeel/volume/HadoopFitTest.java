package io.evenkeel.volume;

import io.evenkeel.common.testing.HadoopFitContract;
import org.apache.hadoop.util.VersionInfo;

class HadoopFitTest extends HadoopFitContract {
  HadoopFitTest() {
    super(VolumeKeys.MODULE, "volume", VersionInfo.getVersion());
  }
}
