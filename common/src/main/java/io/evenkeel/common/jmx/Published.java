package io.evenkeel.common.jmx;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The beans of one kind that a JVM shows: each in JMX under a name of its own, and all together in
 * one metrics source, because the metrics system takes a name only once. Those whose daemon has
 * ended are forgotten. Nothing here throws: a daemon must not fail because its JMX or its metrics
 * are unusual. Thread-safe.
 *
 * @param <B> the beans
 */
public final class Published<B> {
  private final NumberedBeans names;
  private final Predicate<B> gone;
  private final BiConsumer<String, String> warn;
  private final List<B> beans = new CopyOnWriteArrayList<>();

  /**
   * Creates it.
   *
   * @param gone whether the daemon of a bean has ended
   * @param warn told where a bean is not visible, {@code JMX} or {@code metrics}, and why
   */
  public Published(NumberedBeans names, Predicate<B> gone, BiConsumer<String, String> warn) {
    this.names = names;
    this.gone = gone;
    this.warn = warn;
  }

  /**
   * Shows one more.
   *
   * @param register registers the source that shows {@link #live} unless the metrics system has it:
   *     once in its life, which may end and begin again in a mini cluster. Never called twice at
   *     once
   */
  public void publish(B bean, Runnable register) {
    names.publish(bean, () -> gone.test(bean), problem -> warn.accept("JMX", problem));
    try {
      beans.removeIf(gone);
      beans.add(bean);
      synchronized (this) {
        register.run();
      }
    } catch (RuntimeException | LinkageError e) {
      warn.accept("metrics", e.toString());
    }
  }

  /** Those whose daemon has not ended, in the order in which they came. */
  public List<B> live() {
    List<B> live = new ArrayList<>(beans);
    live.removeIf(gone);
    return live;
  }
}
