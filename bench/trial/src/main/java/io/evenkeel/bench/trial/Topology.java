package io.evenkeel.bench.trial;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.net.DNSToSwitchMapping;

/** Places of hosts by a key of the configuration. Hadoop's own is in a test jar. */
public final class Topology extends Configured implements DNSToSwitchMapping {
  static final String KEY = "trial.topology";

  @Override
  public List<String> resolve(List<String> names) {
    Map<String, String> places = new HashMap<>();
    for (String entry : getConf().get(KEY, "").trim().split(" ")) {
      int equals = entry.indexOf('=');
      places.put(entry.substring(0, equals), entry.substring(equals + 1));
    }
    List<String> resolved = new ArrayList<>();
    for (String name : names) {
      resolved.add(places.getOrDefault(name, "/default-rack"));
    }
    return resolved;
  }

  @Override
  public void reloadCachedMappings() {
    // nothing is cached
  }

  @Override
  public void reloadCachedMappings(List<String> names) {
    // nothing is cached
  }
}
