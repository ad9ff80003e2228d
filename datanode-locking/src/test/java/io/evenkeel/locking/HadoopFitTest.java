package io.evenkeel.locking;

import io.evenkeel.common.testing.HadoopFitContract;
import org.apache.hadoop.util.VersionInfo;

class HadoopFitTest extends HadoopFitContract {
  HadoopFitTest() {
    super(LockingKeys.MODULE, "locking", VersionInfo.getVersion());
  }
}
