package io.evenkeel.mover.hdfs;

import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DataNodes the NameNode calls slow, which it reports since 3.3. The first question is answered
 * with none and without a call, so that moving one file stays cheap. Not thread-safe.
 */
final class SlowNodes {
  private static final Logger LOG = LoggerFactory.getLogger(SlowNodes.class);

  private static final ByReflection REPORT =
      ByReflection.method(ClientProtocol.class, "getSlowDatanodeReport");

  private final HdfsConnection.Call<Object[]> report;
  private boolean first = true;
  private boolean reported = true;

  /** Creates it with the call that gives {@link DatanodeInfo}s; null when there is none. */
  SlowNodes(HdfsConnection.Call<Object[]> report) {
    this.report = report;
  }

  /** Those of a NameNode. */
  static SlowNodes of(HdfsConnection connection) {
    HdfsConnection.Call<Object[]> call =
        () ->
            (Object[])
                connection.call(
                    "getSlowDatanodeReport", () -> REPORT.call(connection.client().getNamenode()));
    return new SlowNodes(REPORT.isThere() ? call : null);
  }

  /**
   * Their UUIDs; none the first time, and when they are not known. A NameNode that lacks the call
   * is not asked again; whatever else fails, a failover for one, may pass.
   */
  Set<String> uuids() {
    if (first || report == null || !reported) {
      first = false;
      return Collections.emptySet();
    }
    Set<String> uuids = new HashSet<>();
    try {
      for (Object node : report.run()) {
        uuids.add(((DatanodeInfo) node).getDatanodeUuid());
      }
    } catch (IOException e) {
      IOException cause = e.getCause() instanceof IOException ? (IOException) e.getCause() : e;
      reported = !HdfsErrors.isUnknownMethod(cause);
      LOG.info(
          "Slow DataNodes are not known{}: {}", reported ? " now" : "", HdfsErrors.firstLine(e));
    }
    return uuids;
  }
}
