package io.evenkeel.volume.live;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.nio.file.Paths;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** What the latency-aware policy shows of a volume in JMX. Stateless. */
final class Seen {
  private Seen() {}

  /** One attribute of a volume, for example {@code health}; empty while it is not shown. */
  static Object of(FsVolumeSpi volume, String attribute) throws Exception {
    Path directory = Paths.get(volume.getBaseURI());
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName bean : server.queryNames(new ObjectName("io.evenkeel:type=Volumes,*"), null)) {
      for (CompositeData row : (CompositeData[]) server.getAttribute(bean, "Volumes")) {
        if (Paths.get((String) row.get("directory")).equals(directory)) {
          return row.get(attribute);
        }
      }
    }
    return "";
  }
}
