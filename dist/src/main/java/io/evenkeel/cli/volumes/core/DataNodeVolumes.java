package io.evenkeel.cli.volumes.core;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one DataNode answered: the volumes of the latency-aware policy, that it has another policy,
 * or nothing. Immutable.
 */
public final class DataNodeVolumes {
  /** Simple name of the policy whose volumes are shown. */
  public static final String POLICY = "LatencyAwareVolumeChoosingPolicy";

  private static final Pattern INSTANCE = Pattern.compile("[:,]instance=(\\d+)");

  private final URI uri;
  private final String error;
  private final String policy;
  private final String reason;
  private final Map<String, Object> bean;

  private DataNodeVolumes(
      URI uri, String error, String policy, String reason, Map<String, Object> bean) {
    this.uri = Objects.requireNonNull(uri);
    this.error = error;
    this.policy = Objects.requireNonNull(policy);
    this.reason = Objects.requireNonNull(reason);
    this.bean = bean;
  }

  /** A DataNode that did not answer; the error is one line. */
  public static DataNodeVolumes silent(URI uri, String error) {
    return new DataNodeVolumes(
        uri, Objects.requireNonNull(error), "", "", Collections.<String, Object>emptyMap());
  }

  /**
   * A DataNode that answered and has not the latency-aware policy.
   *
   * @param policy simple name of the policy of Evenkeel it has; empty for stock
   */
  public static DataNodeVolumes without(URI uri, String policy) {
    return new DataNodeVolumes(uri, null, policy, "", Collections.<String, Object>emptyMap());
  }

  /**
   * A DataNode with the policy.
   *
   * @param reason why it is in its state; may be empty
   * @param bean attributes by name
   */
  public static DataNodeVolumes of(URI uri, String reason, Map<String, Object> bean) {
    return new DataNodeVolumes(uri, null, POLICY, reason, bean);
  }

  /** Web address. */
  public URI uri() {
    return uri;
  }

  /** {@code host:port}, with the number of the DataNode where its JVM has several. */
  public String address() {
    return uri.getAuthority() + (instance() == 1 ? "" : " (" + instance() + ")");
  }

  /** 1, or the number of the DataNode in a JVM that has several. */
  public int instance() {
    Matcher m = INSTANCE.matcher(String.valueOf(bean.get("name")));
    return m.find() ? Integer.parseInt(m.group(1)) : 1;
  }

  /** Whether there was an answer. */
  public boolean hasAnswered() {
    return error == null;
  }

  /** Why there was no answer; null when there was one. */
  public String error() {
    return error;
  }

  /** Whether it has the latency-aware policy. */
  public boolean hasPolicy() {
    return POLICY.equals(policy);
  }

  /** Simple name of its policy if that is one of Evenkeel's; else empty. */
  public String policy() {
    return policy;
  }

  /** {@code active}, {@code observe}, {@code fallback}; {@code unknown} when it does not say. */
  public String state() {
    Object state = bean.get("State");
    return state == null ? "unknown" : String.valueOf(state);
  }

  /** Why it is in that state; may be empty. */
  public String reason() {
    return reason;
  }

  /** One of the bean's totals, null when it is not there. */
  public Number total(String attribute) {
    Object value = bean.get(attribute);
    return value instanceof Number ? (Number) value : null;
  }

  /** The volumes in the order of the bean. */
  public List<VolumeRow> volumes() {
    List<VolumeRow> rows = new ArrayList<>();
    Object volumes = bean.get("Volumes");
    if (volumes instanceof List) {
      for (Object volume : (List<?>) volumes) {
        if (volume instanceof Map) {
          rows.add(new VolumeRow((Map<?, ?>) volume));
        }
      }
    }
    return rows;
  }
}
