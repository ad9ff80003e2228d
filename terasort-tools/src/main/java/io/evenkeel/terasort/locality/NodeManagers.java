package io.evenkeel.terasort.locality;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Tells which hosts run a NodeManager. */
public interface NodeManagers {
  /**
   * The hosts of running NodeManagers, by the names YARN knows them.
   *
   * @param timeoutMillis how long it may take, 1 or more
   * @return null when the job does not run on YARN
   * @throws Exception whatever keeps YARN from answering
   */
  Set<String> hosts(Configuration conf, long timeoutMillis) throws Exception;
}
