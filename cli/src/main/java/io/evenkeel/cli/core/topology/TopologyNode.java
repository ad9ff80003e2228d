package io.evenkeel.cli.core.topology;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/** One DataNode of a topology. Immutable. */
public final class TopologyNode {
  /** The storage type of a DataNode that names none. */
  public static final String DISK = "DISK";

  private final String name;
  private final String path;
  private final String address;
  private final double weight;
  private final Set<String> types;
  private final boolean inService;

  private TopologyNode(Builder builder) {
    name = builder.name;
    path = builder.path;
    address = builder.address == null ? builder.name : builder.address;
    weight = builder.weight;
    types = builder.types;
    inService = builder.inService;
  }

  /** Collects what is known of a DataNode. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final String path;
    private String address;
    private double weight = 1;
    private Set<String> types = Collections.singleton(DISK);
    private boolean inService = true;

    /**
     * Starts with what must be known.
     *
     * @param name host name or address, with or without a port
     * @param path network location, as {@code /rack} or {@code /rack/nodegroup}
     */
    public Builder(String name, String path) {
      this.name = Objects.requireNonNull(name);
      this.path = Objects.requireNonNull(path);
    }

    /** Another name it goes by: the transfer address. */
    public Builder address(String hostAndPort) {
      address = hostAndPort;
      return this;
    }

    /** What it can take compared with others: any unit, above 0. */
    public Builder weight(double share) {
      weight = share;
      return this;
    }

    /** Its storage types. */
    public Builder types(String... names) {
      types = Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(names)));
      return this;
    }

    /** Whether it is given blocks; else it is leaving, left or in maintenance. */
    public Builder inService(boolean now) {
      inService = now;
      return this;
    }

    /** The DataNode. */
    public TopologyNode build() {
      return new TopologyNode(this);
    }
  }

  /** Host name or address as it was written, with the port if there was one. */
  public String name() {
    return name;
  }

  /** Network location. */
  public String path() {
    return path;
  }

  /** Transfer address; the name when no other is known. */
  public String address() {
    return address;
  }

  /** What it can take compared with others; above 0. */
  public double weight() {
    return weight;
  }

  /** Names of its storage types. */
  public Set<String> types() {
    return types;
  }

  /** Whether it is given blocks. */
  public boolean inService() {
    return inService;
  }

  /** The same with another weight. */
  TopologyNode weighing(double share) {
    return new Builder(name, path)
        .address(address)
        .weight(share)
        .types(types.toArray(new String[0]))
        .inService(inService)
        .build();
  }

  /** Host name or address without a port. */
  public String host() {
    return hostOf(name);
  }

  /** The part before the port; an address of version 6 keeps its colons. */
  static String hostOf(String name) {
    if (name.startsWith("[")) {
      return name.substring(1, name.contains("]") ? name.indexOf(']') : name.length());
    }
    int colon = name.indexOf(':');
    return colon < 0 || colon != name.lastIndexOf(':') ? name : name.substring(0, colon);
  }

  /** Levels of the network location, 1 for {@code /rack}. */
  int depth() {
    return (int) path.chars().filter(c -> c == '/').count();
  }

  /** Whether the name says nothing about the machine. */
  static boolean isLoopback(String host) {
    return host.isEmpty()
        || host.startsWith("localhost")
        || host.startsWith("127.")
        || host.equals("::1")
        || host.equals("0:0:0:0:0:0:0:1");
  }
}
