package io.evenkeel.bench.gameday.schedule;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Something that is done to the cluster and later undone. Immutable.
 *
 * @param kind what
 * @param target process ({@code dn3}, {@code nn}) or physical host ({@code host2})
 * @param volume storage type of the DataNode's volume; empty where the kind concerns no volume
 * @param millis delay of each file operation, 0 unless the kind is {@link Kind#SLOW_VOLUME}
 */
public record Fault(Kind kind, String target, String volume, long millis) {

  /** What can happen, in the words of an operator. */
  public enum Kind {
    /** kill -9; undone by a start. */
    KILL_DATANODE(false),
    /** SIGSTOP; undone by SIGCONT. */
    PAUSE_DATANODE(false),
    /** kill -9 of all processes of a physical host; undone by a start of all. */
    KILL_HOST(false),
    /**
     * kill -9 of the NameNode; undone by a start. Of two it is the active one, the other is made
     * active at once, and the start makes a standby.
     */
    KILL_NAMENODE(false),
    /** File operations of a volume do not return; undone: all return. */
    HANG_VOLUME(true),
    /** Creations of files on a volume do not return, its other operations do; never drawn. */
    HANG_CREATIONS(true),
    /** Each file operation of a volume takes longer. */
    SLOW_VOLUME(true),
    /** Each write to a volume fails for lack of space. */
    FULL_VOLUME(true),
    /** Each file operation of a volume fails with an I/O error; undone by a restart as well. */
    FAIL_VOLUME(true),
    /** A volume is taken out of the running DataNode by reconfiguration; undone: put back. */
    REMOVE_VOLUME(true),
    /** Decommissioning by the hosts file; undone: in service again. */
    DECOMMISSION(false),
    /** Maintenance by the hosts file, the DataNode goes on running; undone: in service again. */
    MAINTENANCE(false),
    /** An orderly restart of one DataNode; nothing to undo. */
    RESTART_DATANODE(false),
    /** An orderly restart of one DataNode with stock instead of our keys; undone: with our keys. */
    RESTART_WITH_STOCK(false),
    /** A rolling upgrade is prepared, target {@code nn}; undone: it is finalized. */
    ROLLING_UPGRADE(false),
    /** Of two NameNodes the standby is made active in an orderly way; nothing to undo. */
    FAILOVER(false);

    private final boolean ofVolume;

    Kind(boolean ofVolume) {
      this.ofVolume = ofVolume;
    }

    /** Whether it concerns the NameNode and no DataNode. */
    public boolean ofNameNode() {
      return this == KILL_NAMENODE || this == ROLLING_UPGRADE || this == FAILOVER;
    }

    /** Whether it concerns one volume of a DataNode. */
    public boolean ofVolume() {
      return ofVolume;
    }
  }

  /** Refuses a volume where the kind has none, and none where it needs one. */
  public Fault {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(target, "target");
    if (kind.ofVolume() == volume.isEmpty()) {
      throw new IllegalArgumentException(kind + " of volume '" + volume + "'");
    }
    if (millis < 0 || kind == Kind.SLOW_VOLUME != millis > 0) {
      throw new IllegalArgumentException(kind + " with a delay of " + millis + " ms");
    }
  }

  Map<String, Object> toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("fault", kind.name());
    map.put("target", target);
    if (kind.ofVolume()) {
      map.put("volume", volume);
    }
    if (millis > 0) {
      map.put("millis", millis);
    }
    return map;
  }

  static Fault fromJson(Map<?, ?> map) {
    return new Fault(
        kind(Objects.toString(map.get("fault"))),
        Objects.requireNonNull(map.get("target"), "target").toString(),
        Objects.toString(map.get("volume"), ""),
        map.containsKey("millis") ? Schedule.whole(map, "millis") : 0);
  }

  private static Kind kind(String name) {
    for (Kind kind : Kind.values()) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "there is no fault '" + name + "'; there are " + Arrays.toString(Kind.values()));
  }

  @Override
  public String toString() {
    return kind
        + " "
        + target
        + (volume.isEmpty() ? "" : " " + volume)
        + (millis == 0 ? "" : " " + millis + " ms");
  }
}
