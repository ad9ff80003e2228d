package io.evenkeel.cli.core.blocks;

import io.evenkeel.cli.core.topology.StripedSchema;
import java.util.Collections;
import java.util.List;

/** One block of a listing. Immutable. */
public final class ListedBlock {
  /** A replica or unit. Immutable. */
  public static final class Replica {
    private final String location;
    private final String unit;
    private final String state;

    Replica(String location, String unit, String state) {
      this.location = location;
      this.unit = unit;
      this.state = state;
    }

    /** Where it is: an address, or a network location with the address at its end. */
    public String location() {
      return location;
    }

    /** Name of the unit of a striped block; empty for a replica. */
    String unit() {
      return unit;
    }

    /** Whether it counts as a copy that stays: neither corrupt nor about to be deleted. */
    public boolean readable() {
      return !state.equals("CORRUPT") && !state.equals("EXCESS");
    }

    /** Whether its DataNode is to leave or has left: the block is copied elsewhere. */
    public boolean leaves() {
      return state.startsWith("DECOMMISSION") || state.endsWith("MAINTENANCE");
    }

    /** Whether the listing says so itself, as with {@code -replicaDetails}. */
    boolean known() {
      return !state.isEmpty();
    }
  }

  private final String path;
  private final long length;
  private final int replication;
  private final StripedSchema schema;
  private final int live;
  private final List<Replica> replicas;

  private ListedBlock(Builder builder, int live, List<Replica> replicas) {
    path = builder.path;
    length = builder.length;
    replication = builder.replication;
    schema = builder.schema;
    this.live = live;
    this.replicas = Collections.unmodifiableList(replicas);
  }

  /** What is known of a block before its replicas are. Not thread-safe. */
  static final class Builder {
    private final String path;
    private final int replication;
    private final StripedSchema schema;
    private long length;

    Builder(String path, int replication, StripedSchema schema) {
      this.path = path;
      this.replication = replication;
      this.schema = schema;
    }

    Builder length(long bytes) {
      length = bytes;
      return this;
    }

    ListedBlock build(int live, List<Replica> replicas) {
      return new ListedBlock(this, live, replicas);
    }
  }

  /** The file it belongs to. */
  public String path() {
    return path;
  }

  /** Length in bytes; of a striped group without its parity. */
  public long length() {
    return length;
  }

  /** Replicas its file asks for; 1 for a striped group. */
  public int replication() {
    return replication;
  }

  /** Units of its group; null for a replicated block. */
  public StripedSchema schema() {
    return schema;
  }

  /** Replicas or units the NameNode counts as live. */
  public int live() {
    return live;
  }

  /** Replicas or units that are listed; empty for a block that is missing. */
  public List<Replica> replicas() {
    return replicas;
  }

  /** Units of a striped group; one that is shorter than a stripe has fewer of data. */
  int realUnits() {
    return dataUnits() + schema.parity();
  }

  /** Units without which a striped group cannot be read. */
  int dataUnits() {
    long cells = (length + schema.cell() - 1) / schema.cell();
    return (int) Math.max(1, Math.min(schema.data(), cells));
  }
}
