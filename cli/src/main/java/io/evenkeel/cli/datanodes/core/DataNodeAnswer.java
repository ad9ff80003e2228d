package io.evenkeel.cli.datanodes.core;

import io.evenkeel.cli.core.BeanRow;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one DataNode answered: the bean it was asked for, that it has none, or nothing. */
public abstract class DataNodeAnswer {
  private static final Pattern INSTANCE = Pattern.compile("[:,]instance=(\\d{1,9})(?!\\d)");

  private final URI uri;
  private final String error;
  private final BeanRow bean;

  /**
   * Creates it.
   *
   * @param error why there was no answer, one line; null when there was one
   * @param bean attributes by name; empty when the DataNode does not show it
   */
  protected DataNodeAnswer(URI uri, String error, Map<?, ?> bean) {
    this.uri = Objects.requireNonNull(uri);
    this.error = error;
    this.bean = new BeanRow(bean);
  }

  /** The beans whose names begin so, without those of DataNodes that have ended. */
  protected static List<Map<String, Object>> live(List<Map<String, Object>> beans, String begin) {
    List<Map<String, Object>> live = new ArrayList<>();
    for (Map<String, Object> bean : beans) {
      if (isNamed(bean, begin) && !"gone".equals(bean.get("State"))) {
        live.add(bean);
      }
    }
    return live;
  }

  /** Whether the name of a bean begins so. */
  protected static boolean isNamed(Map<String, Object> bean, String begin) {
    return String.valueOf(bean.get("name")).startsWith(begin);
  }

  /** Web address. */
  public final URI uri() {
    return uri;
  }

  /** {@code host:port}, with the number of the DataNode where its JVM has several. */
  public final String address() {
    return uri.getAuthority() + (instance() == 1 ? "" : " (" + instance() + ")");
  }

  /** 1, or the number of the DataNode in a JVM that has several. */
  public final int instance() {
    Matcher m = INSTANCE.matcher(bean.text("name"));
    return m.find() ? Integer.parseInt(m.group(1)) : 1;
  }

  /** Whether there was an answer. */
  public final boolean hasAnswered() {
    return error == null;
  }

  /** Why there was no answer; null when there was one. */
  public final String error() {
    return error;
  }

  /** Whether it shows the bean it was asked for: the plugin decides there. */
  public final boolean hasBean() {
    return !bean.isEmpty();
  }

  /** The attributes of the bean; none where it is not shown. */
  public final BeanRow bean() {
    return bean;
  }
}
