package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A ResourceManager and its NodeManagers when the watch began and when it ended. Immutable. */
public final class YarnHistory {
  private final String name;
  private final double seconds;
  private final Numbers resourceManager;
  private final List<NodeManager> nodeManagers;

  /**
   * Creates it.
   *
   * @param name what an operator calls the ResourceManager
   * @param seconds from one to the other
   */
  public YarnHistory(
      String name, double seconds, Numbers resourceManager, List<NodeManager> nodeManagers) {
    this.name = name;
    this.seconds = seconds;
    this.resourceManager = resourceManager;
    this.nodeManagers = Collections.unmodifiableList(new ArrayList<>(nodeManagers));
  }

  /** Numbers of a daemon's beans at both times. Immutable. */
  public static final class Numbers {
    private final Map<String, Object> before;
    private final Map<String, Object> after;

    /** Creates it; attributes of beans by their names, none where it was not asked. */
    public Numbers(Map<String, Object> before, Map<String, Object> after) {
      this.before = new LinkedHashMap<>(before);
      this.after = new LinkedHashMap<>(after);
    }

    /** At the end; not a number when it is not known. */
    double last(String attribute) {
      return Reading.number(after, attribute);
    }

    /** By how much it grew; not a number when one of the two is not known. */
    double grown(String attribute) {
      return Reading.number(after, attribute) - Reading.number(before, attribute);
    }
  }

  /** A NodeManager. Immutable. */
  public static final class NodeManager {
    private final String name;
    private final Map<?, ?> known;
    private final Numbers numbers;
    private final String silence;

    /**
     * Creates it.
     *
     * @param name host and web port
     * @param known what the ResourceManager says of it, as in {@code LiveNodeManagers}
     * @param silence why it did not answer at the end; empty when it did
     */
    public NodeManager(String name, Map<?, ?> known, Numbers numbers, String silence) {
      this.name = name;
      this.known = new LinkedHashMap<>(known);
      this.numbers = numbers;
      this.silence = silence;
    }

    /** What an operator calls it. */
    String name() {
      return name;
    }

    /** What the ResourceManager says of it; empty when it says nothing. */
    String known(String member) {
      Object value = known.get(member);
      return value == null ? "" : value.toString();
    }

    Numbers numbers() {
      return numbers;
    }

    /** Why it did not answer; empty when it did. */
    String silence() {
      return silence;
    }
  }

  /** What an operator calls the ResourceManager. */
  String name() {
    return name;
  }

  /** Seconds from the beginning to the end. */
  double seconds() {
    return seconds;
  }

  /** Numbers of the ResourceManager. */
  Numbers resourceManager() {
    return resourceManager;
  }

  /** Those that are neither lost nor decommissioned. */
  List<NodeManager> nodeManagers() {
    return nodeManagers;
  }
}
