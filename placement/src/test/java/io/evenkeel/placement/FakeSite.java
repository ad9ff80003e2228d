package io.evenkeel.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMappingWithDependency;

/** A mapping of a site without a cache, whose answers a test sets; made by reflection too. */
public class FakeSite implements DNSToSwitchMapping, DNSToSwitchMappingWithDependency {
  /** What every instance answers, by name; others get null in the list. */
  static final Map<String, String> TABLE = new ConcurrentHashMap<>();

  /** Every name asked for. */
  static final List<String> ASKED = new CopyOnWriteArrayList<>();

  /** What becomes of an answer before it is given. */
  static volatile UnaryOperator<List<String>> spoil = answer -> answer;

  /** Back to an empty mapping that answers. */
  static void reset() {
    TABLE.clear();
    ASKED.clear();
    spoil = answer -> answer;
  }

  @Override
  public List<String> resolve(List<String> names) {
    ASKED.addAll(names);
    List<String> answer = new ArrayList<>();
    names.forEach(name -> answer.add(TABLE.get(name)));
    return spoil.apply(answer);
  }

  @Override
  public void reloadCachedMappings() {}

  @Override
  public void reloadCachedMappings(List<String> names) {}

  @Override
  public List<String> getDependency(String name) {
    return Arrays.asList("needed-by-" + name);
  }

  /** The same behind Hadoop's cache, with a default for unknown hosts as stock's classes have. */
  public static final class Cached extends CachedDNSToSwitchMapping {
    /** Made by reflection. */
    public Cached() {
      super(
          new FakeSite() {
            @Override
            public List<String> resolve(List<String> names) {
              List<String> answer = super.resolve(names);
              if (answer != null) {
                answer.replaceAll(said -> said == null ? "/default-rack" : said);
              }
              return answer;
            }
          });
    }
  }
}
