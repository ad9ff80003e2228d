package io.evenkeel.common.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What a class logs, by level. Every supported Hadoop logs through the Log4j 1 API. */
public final class LogLines extends AppenderSkeleton implements AutoCloseable {
  private final Logger logger;
  private final Level before;
  private final List<LoggingEvent> events = new CopyOnWriteArrayList<>();

  private LogLines(Logger logger) {
    this.logger = logger;
    this.before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(this);
  }

  /** Collects what {@code source} logs, from INFO on, until closed. */
  public static LogLines of(Class<?> source) {
    return new LogLines(Logger.getLogger(source));
  }

  /** The messages of one level so far. */
  public List<String> at(String level) {
    return events.stream()
        .filter(e -> e.getLevel().toString().equals(level))
        .map(LoggingEvent::getRenderedMessage)
        .collect(Collectors.toList());
  }

  @Override
  protected void append(LoggingEvent event) {
    events.add(event);
  }

  @Override
  public void close() {
    if (closed) {
      return; // finalize() of the base class closes again, when somebody else listens by then
    }
    closed = true;
    logger.removeAppender(this);
    logger.setLevel(before);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
