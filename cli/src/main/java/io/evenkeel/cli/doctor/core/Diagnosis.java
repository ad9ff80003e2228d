package io.evenkeel.cli.doctor.core;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** One thing that is wrong with a cluster, and what can be done about it. Immutable. */
public final class Diagnosis {
  /**
   * What it is, the most urgent first; the word for programs is the name in lower case with
   * hyphens.
   */
  public enum Kind {
    /** Blocks without a live replica. */
    MISSING_BLOCKS,
    /** DataNodes that the NameNode calls dead. */
    DEAD_DATANODE,
    /** A daemon that did not answer, or is not there. */
    INCOMPLETE,
    /** Another NameNode became the active one. */
    FAILOVER,
    /** A daemon whose JVM stands still for a part of the time. */
    PAUSES,
    /** A DataNode that does the same work more slowly than its peers. */
    SLOW_DATANODE,
    /** The same of all DataNodes of a physical host. */
    SLOW_HOST,
    /** A volume that its own DataNode, or stock's detector, sees slower than its peers. */
    SLOW_VOLUME,
    /** A volume on which nothing ends. */
    HUNG_VOLUME,
    /** A volume or local directory that its daemon has given up. */
    FAILED_VOLUME,
    /** Threads that wait for the lock of the dataset. */
    LOCK_WAIT,
    /** A DataNode or host with more traffic than its peers. */
    BUSY,
    /** A DataNode that is fuller or emptier than its peers. */
    UNEVEN_DATANODES,
    /** Volumes of one DataNode and type that fill unequally. */
    UNEVEN_VOLUMES,
    /** A storage type or volume that is full soon. */
    FULL_SOON,
    /** A NodeManager that takes itself for unhealthy. */
    UNHEALTHY_NODEMANAGER,
    /** A NodeManager on which most containers fail that would end well elsewhere. */
    FAILING_CONTAINERS,
    /** Blocks with two replicas on one physical host. */
    TWO_ON_HOST,
    /** Blocks with all replicas on one rack. */
    ONE_RACK,
    /** Blocks on other storage types than their policy says. */
    WRONG_STORAGE,
    /** A DataNode that is to leave and does not get on. */
    DECOMMISSION,
    /** Daemons of several releases. */
    VERSIONS,
    /** A daemon whose clock differs. */
    CLOCK,
    /** Keys that contradict each other. */
    KEYS,
    /** A defect of this release that touches this configuration. */
    KNOWN_DEFECT
  }

  /** Whether it is a standing risk of configuration and release, and nothing that happens now. */
  boolean isRisk() {
    return kind == Kind.KEYS || kind == Kind.KNOWN_DEFECT;
  }

  /** The same, with more that was seen. */
  Diagnosis also(String more) {
    return new Builder(kind, certainty, subject)
        .evidence(evidence + "; " + more)
        .harm(harm)
        .stock(stock)
        .evenkeel(evenkeel)
        .build();
  }

  /** How sure it is. */
  public enum Certainty {
    /** Counted or read, or far beyond chance. */
    CERTAIN,
    /** Beyond what chance explains. */
    LIKELY,
    /** A hint that wants a look. */
    POSSIBLE
  }

  private final Kind kind;
  private final Certainty certainty;
  private final String subject;
  private final String evidence;
  private final String harm;
  private final String stock;
  private final String evenkeel;

  private Diagnosis(Builder builder) {
    kind = builder.kind;
    certainty = builder.certainty;
    subject = builder.subject;
    evidence = builder.evidence;
    harm = builder.harm;
    stock = builder.stock;
    evenkeel = builder.evenkeel;
  }

  /** Collects it. Not thread-safe. */
  public static final class Builder {
    private final Kind kind;
    private final String subject;
    private final Certainty certainty;
    private String evidence = "";
    private String harm = "";
    private String stock = "";
    private String evenkeel = "";

    /**
     * Begins.
     *
     * @param subject the daemon, host, volume, type or key it is about
     */
    public Builder(Kind kind, Certainty certainty, String subject) {
      this.kind = Objects.requireNonNull(kind);
      this.certainty = Objects.requireNonNull(certainty);
      this.subject = Objects.requireNonNull(subject);
    }

    /** What was seen, with numbers. */
    public Builder evidence(String text) {
      evidence = text;
      return this;
    }

    /** What it does to users of the cluster. */
    public Builder harm(String text) {
      harm = text;
      return this;
    }

    /** What to do with stock alone. */
    public Builder stock(String text) {
      stock = text;
      return this;
    }

    /** What to do with Evenkeel: module and key; empty when it has nothing for it. */
    public Builder evenkeel(String text) {
      evenkeel = text;
      return this;
    }

    /** The finding. */
    public Diagnosis build() {
      return new Diagnosis(this);
    }
  }

  /** What it is. */
  public Kind kind() {
    return kind;
  }

  /** How sure it is. */
  public Certainty certainty() {
    return certainty;
  }

  /** What it is about. */
  public String subject() {
    return subject;
  }

  /** What was seen. */
  public String evidence() {
    return evidence;
  }

  /** What it does to users. */
  public String harm() {
    return harm;
  }

  /** What to do with stock alone. */
  public String stock() {
    return stock;
  }

  /** What to do with Evenkeel; empty when it has nothing for it. */
  public String evenkeel() {
    return evenkeel;
  }

  /** A word of an enum for programs. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** For a report in JSON. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", word(kind));
    json.put("certainty", word(certainty));
    json.put("subject", subject);
    json.put("evidence", evidence);
    json.put("harm", harm);
    json.put("stock", stock);
    json.put("evenkeel", evenkeel.isEmpty() ? null : evenkeel);
    return json;
  }
}
