package io.evenkeel.volume.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * What the DataNodes and the NameNode of this process log while this is open: writes that failed on
 * a full file system, blocks that were refused, and which file each block is of. Thread-safe.
 */
final class ServerLog implements AutoCloseable {
  private static final String NO_SPACE = "No space left on device";
  private static final String REFUSED = "DiskOutOfSpaceException";
  private static final Pattern ALLOCATED =
      Pattern.compile("BLOCK\\* allocate (blk_\\d+)_\\d+.* for (\\S+)$");

  private final Queue<String> noSpace = new ConcurrentLinkedQueue<>();
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
  private final Map<String, Queue<String>> blocks = new ConcurrentHashMap<>();
  private final List<Attached> attached = new ArrayList<>();

  /** Logs from now on. */
  ServerLog() {
    // The DataNode logs the exception of a write at INFO.
    attached.add(new Attached("org.apache.hadoop.hdfs.server.datanode", this::dataNodeLogs));
    attached.add(new Attached("org.apache.hadoop.hdfs.StateChange", this::nameNodeLogs));
  }

  private void dataNodeLogs(LoggingEvent event) {
    String message = event.getRenderedMessage();
    if (event.getThrowableInformation() != null) {
      message += chain(event.getThrowableInformation().getThrowable());
    }
    if (message.contains(NO_SPACE)) {
      noSpace.add(message);
    }
    if (message.contains(REFUSED)) {
      refusals.add(message);
    }
  }

  private void nameNodeLogs(LoggingEvent event) {
    Matcher line = ALLOCATED.matcher(event.getRenderedMessage());
    if (line.find()) {
      blocks.computeIfAbsent(line.group(2), f -> new ConcurrentLinkedQueue<>()).add(line.group(1));
    }
  }

  /** An exception and all that caused it, in one line. */
  static String chain(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable t = failure; t != null; t = t.getCause()) {
      text.append(" <- ").append(String.valueOf(t).lines().findFirst().orElse(""));
    }
    return text.toString();
  }

  /** Whether the failure of a client comes from a full file system. */
  static boolean isNoSpace(Throwable failure) {
    return chain(failure).contains(NO_SPACE);
  }

  /** Messages of DataNodes about a file system that was full. */
  List<String> noSpace() {
    return List.copyOf(noSpace);
  }

  /** Messages of DataNodes about a block that no volume had room for. */
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  /** Names of the blocks the NameNode gave a file, in this order. */
  List<String> blocksOf(String file) {
    Queue<String> found = blocks.get(file);
    return found == null ? List.of() : List.copyOf(found);
  }

  @Override
  public void close() {
    attached.forEach(Attached::detach);
  }

  private interface Reader {
    void read(LoggingEvent event);
  }

  /** Reads one logger, which says nothing elsewhere meanwhile. */
  private static final class Attached extends AppenderSkeleton {
    private final Logger logger;
    private final Reader reader;
    private final Level before;
    private final boolean passedOn;

    Attached(String name, Reader reader) {
      this.logger = Logger.getLogger(name);
      this.reader = reader;
      this.before = logger.getLevel();
      this.passedOn = logger.getAdditivity();
      logger.setLevel(Level.INFO);
      logger.setAdditivity(false);
      logger.addAppender(this);
    }

    void detach() {
      logger.removeAppender(this);
      logger.setAdditivity(passedOn);
      logger.setLevel(before);
    }

    @Override
    protected void append(LoggingEvent event) {
      reader.read(event);
    }

    /** Nothing: the finalizer of an appender calls this at any time. */
    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }
}
