package io.evenkeel.placement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.net.AbstractDNSToSwitchMapping;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMappingWithDependency;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.TableMapping;

/**
 * Calls the operator's {@code DNSToSwitchMapping} safely: exceptions and answers of the wrong
 * length count as "no location".
 *
 * <p>Thread-safe as far as the site's own class is; a cache that is cleared while it is asked does
 * not make a known host unknown.
 */
final class SiteMapping {
  /** A cache may be cleared while it is asked; the last attempt keeps others from doing so. */
  private static final int ATTEMPTS = 4;

  private final DNSToSwitchMapping site;
  private final DNSToSwitchMapping asked;
  private final Consumer<String> failure;

  /** Held while something is forgotten. */
  private final Object reloading = new Object();

  private final AtomicLong reloadsBegun = new AtomicLong();
  private final AtomicLong reloadsEnded = new AtomicLong();

  private SiteMapping(DNSToSwitchMapping site, DNSToSwitchMapping asked, Consumer<String> failure) {
    this.site = site;
    this.asked = asked;
    this.failure = failure;
  }

  /**
   * Wraps the site's mapping.
   *
   * @param site null when there is none: every host is without a location then
   * @param cache whether a class that has no cache of its own gets one, as YARN gives it
   * @param failure told why the site's mapping gave no answer
   */
  static SiteMapping of(DNSToSwitchMapping site, boolean cache, Consumer<String> failure) {
    DNSToSwitchMapping asked = site == null ? new Silent() : site;
    if (cache && site != null && !(site instanceof CachedDNSToSwitchMapping)) {
      asked = new CachedDNSToSwitchMapping(new OneEach(site));
    }
    return new SiteMapping(site, asked, failure);
  }

  /** Whether it is asked by address, as Hadoop does with its own two classes. */
  boolean asksByAddress() {
    return asked instanceof CachedDNSToSwitchMapping;
  }

  /** One location per name in their order, null where the site has none. Never throws. */
  List<String> locations(List<String> names) {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      long ended = reloadsEnded.get();
      Answer answer = ask(names);
      if (answer.locations != null) {
        return answer.locations;
      }
      if (reloadsBegun.get() == ended) {
        return without(names, answer);
      }
    }
    synchronized (reloading) {
      Answer answer = ask(names);
      return answer.locations != null ? answer.locations : without(names, answer);
    }
  }

  private Answer ask(List<String> names) {
    try {
      List<String> locations = asked.resolve(names);
      if (locations != null && locations.size() == names.size()) {
        return new Answer(locations, "", false);
      }
      return locations == null
          ? new Answer(null, "gave no list", false)
          : new Answer(null, "gave " + locations.size() + " locations", true);
    } catch (RuntimeException | LinkageError e) {
      return new Answer(null, "threw " + e, true);
    }
  }

  private List<String> without(List<String> names, Answer answer) {
    failure.accept(answer.problem + " for " + names.size() + " hosts");
    if (answer.suspect) {
      // Hadoop's cache keeps the beginning of a short list, under the wrong hosts
      guarded(() -> asked.reloadCachedMappings(names));
    }
    return Collections.nCopies(names.size(), null);
  }

  /** Forgets everything; a table is read again. Never throws. */
  void reload() {
    guarded(asked::reloadCachedMappings);
    if (asked != site && site != null) {
      guarded(site::reloadCachedMappings);
    }
  }

  /** Forgets these hosts, so that they are asked for anew. Never throws. */
  void reload(List<String> names) {
    if (site instanceof TableMapping) {
      // forgetting single hosts does not read the table again
      reload();
      return;
    }
    List<String> named = new ArrayList<>(names);
    // Hadoop hands over a peer name that may be null, which its own cache cannot take
    named.removeIf(name -> name == null);
    guarded(() -> asked.reloadCachedMappings(named));
    if (asked != site && site != null) {
      guarded(() -> site.reloadCachedMappings(named));
    }
  }

  private void guarded(Runnable reload) {
    synchronized (reloading) {
      reloadsBegun.incrementAndGet();
      try {
        reload.run();
      } catch (RuntimeException | LinkageError e) {
        failure.accept("threw " + e + " while it was reloaded");
      } finally {
        reloadsEnded.incrementAndGet();
      }
    }
  }

  /** The hosts a host depends on, by the site's mapping; null when that fails. Never throws. */
  List<String> dependencies(String name) {
    if (!(site instanceof DNSToSwitchMappingWithDependency)) {
      return Collections.emptyList();
    }
    try {
      return ((DNSToSwitchMappingWithDependency) site).getDependency(name);
    } catch (RuntimeException | LinkageError e) {
      failure.accept("threw " + e + " for the dependencies of " + name);
      return null;
    }
  }

  /** What the site's mapping has cached, by address; null when it does not tell. */
  Map<String, String> cached() {
    return asked instanceof AbstractDNSToSwitchMapping
        ? ((AbstractDNSToSwitchMapping) asked).getSwitchMap()
        : null;
  }

  boolean isSingleSwitch() {
    return AbstractDNSToSwitchMapping.isMappingSingleSwitch(site);
  }

  @Override
  public String toString() {
    return site == null ? "no mapping" : site.toString();
  }

  /** What the site's mapping said to one question. */
  private static final class Answer {
    /** One per name; null when that is not what it gave. */
    final List<String> locations;

    final String problem;

    /** Whether a cache may now hold what is wrong. */
    final boolean suspect;

    Answer(List<String> locations, String problem, boolean suspect) {
      this.locations = locations;
      this.problem = problem;
      this.suspect = suspect;
    }
  }

  /** Stands for a mapping that could not be loaded. */
  private static final class Silent implements DNSToSwitchMapping {
    @Override
    public List<String> resolve(List<String> names) {
      return Collections.nCopies(names.size(), null);
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
  }

  /**
   * Keeps answers out of Hadoop's cache that it cannot take: a short list would give hosts the
   * locations of others, and a null ends in an exception.
   */
  private static final class OneEach implements DNSToSwitchMapping {
    private final DNSToSwitchMapping site;

    OneEach(DNSToSwitchMapping site) {
      this.site = site;
    }

    @Override
    public List<String> resolve(List<String> names) {
      List<String> answer = site.resolve(names);
      if (answer == null || answer.size() != names.size()) {
        return null;
      }
      List<String> complete = new ArrayList<>(answer);
      complete.replaceAll(said -> said == null ? NetworkTopology.DEFAULT_RACK : said);
      return complete;
    }

    @Override
    public void reloadCachedMappings() {
      site.reloadCachedMappings();
    }

    @Override
    public void reloadCachedMappings(List<String> names) {
      site.reloadCachedMappings(names);
    }
  }
}
