package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The threads of a DataNode at one time that wait for the lock of its dataset, hold it, or do I/O
 * on a file, from what its {@code /stacks} servlet prints: the same in Hadoop 2.7 to 3.5, at most
 * 20 frames of each thread. All other threads are left out. Immutable.
 */
public final class ThreadDump {
  private static final String DATANODE = "org.apache.hadoop.hdfs.server.datanode.";
  static final String DATASET = DATANODE + "fsdataset.impl.";

  /** Wrappers of the lock in Hadoop since 2.8; before, it is the monitor of FsDatasetImpl. */
  private static final List<String> LOCKS =
      Arrays.asList(
          "org.apache.hadoop.util.Instrumented",
          "org.apache.hadoop.util.AutoCloseableLock",
          "org.apache.hadoop.util.AutoCloseableWithLock",
          "org.apache.hadoop.hdfs.server.datanode.DataSetLockManager",
          "org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock");

  private static final List<String> FILE_IO =
      Arrays.asList(
          "java.io.UnixFileSystem.",
          "java.io.FileInputStream.",
          "java.io.FileOutputStream.",
          "java.io.FileDescriptor.",
          "java.io.RandomAccessFile.",
          "sun.nio.ch.FileDispatcherImpl.",
          "sun.nio.ch.UnixFileDispatcherImpl.",
          "sun.nio.ch.FileChannelImpl.",
          "sun.nio.fs.UnixNativeDispatcher.",
          "org.apache.hadoop.io.nativeio.NativeIO");

  /** The same native methods serve sockets, pipes of processes and random numbers. */
  private static final List<String> NO_FILE =
      Arrays.asList(
          "sun.nio.ch.Socket",
          "sun.nio.ch.NioSocket",
          "java.net.Socket",
          "org.apache.hadoop.util.Shell",
          "java.lang.Process",
          "java.lang.UNIXProcess",
          "sun.security.provider.",
          "java.security.SecureRandom");

  private final double seconds;
  private final Map<Long, Stack> stacks;

  private ThreadDump(double seconds, Map<Long, Stack> stacks) {
    this.seconds = seconds;
    this.stacks = stacks;
  }

  /** One thread. Immutable. */
  static final class Stack {
    private final long id;
    private final String name;
    private final Map<String, String> facts;
    private final List<String> frames;

    Stack(long id, String name, Map<String, String> facts, List<String> frames) {
      this.id = id;
      this.name = name;
      this.facts = facts;
      this.frames = frames;
    }

    /** Its number, which no later thread of the JVM has. */
    long id() {
      return id;
    }

    /** Its name. */
    String name() {
      return name;
    }

    /** What it does, the innermost call first, without modules and class loaders. */
    List<String> frames() {
      return frames;
    }

    /** Whether it has done nothing between two dumps: same calls, and it has waited no more. */
    boolean isStill(Stack later) {
      return later != null
          && name.equals(later.name)
          && facts.equals(later.facts)
          && frames.equals(later.frames);
    }

    /** Number of the thread that holds what it is blocked on; -1 when it is not said. */
    long blockedBy() {
      Matcher m = NUMBER.matcher(facts.getOrDefault("Blocked by", ""));
      return m.lookingAt() ? Long.parseLong(m.group()) : -1;
    }

    /** Whether it waits for the lock of the dataset. */
    boolean waitsForDataset() {
      String state = facts.getOrDefault("State", "");
      if (!state.equals("BLOCKED") && !state.endsWith("WAITING")) {
        return false;
      }
      if (facts.getOrDefault("Blocked on", "").startsWith(DATASET + "FsDatasetImpl@")) {
        return true;
      }
      boolean lock = false;
      for (String frame : frames) {
        if (beginsWithOne(frame, LOCKS)) {
          lock = true;
        } else if (frame.startsWith("java.util.concurrent.locks.Reentrant")) {
          lock |= frame.contains("ock.lock(") || frame.contains("ock.tryLock(");
        } else if (!frame.startsWith("java.")
            && !frame.startsWith("jdk.")
            && !frame.startsWith("sun.")) {
          return lock
              && (frame.startsWith(DATASET + "FsDatasetImpl")
                  || frames.stream().anyMatch(each -> beginsWithOne(each, LOCKS)) && ofDataNode());
        }
      }
      return false;
    }

    /** Whether it is inside a call of the operating system for a file. */
    boolean doesFileIo() {
      return !frames.isEmpty()
          && frames.get(0).endsWith("(Native Method)")
          && beginsWithOne(frames.get(0), FILE_IO)
          && !frames.get(0).contains("transferTo") // this may wait for the client
          && frames.stream().noneMatch(frame -> beginsWithOne(frame, NO_FILE))
          && ofDataNode();
    }

    boolean isInDataset() {
      return frames.stream().anyMatch(frame -> frame.startsWith(DATASET));
    }

    private boolean ofDataNode() {
      return frames.stream().anyMatch(frame -> frame.startsWith(DATANODE));
    }

    private static boolean beginsWithOne(String frame, List<String> prefixes) {
      return prefixes.stream().anyMatch(frame::startsWith);
    }
  }

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** Reads what the servlet prints, line by line. Not thread-safe. */
  public static final class Reader {
    private static final Pattern THREAD = Pattern.compile("Thread (\\d+) \\((.*)\\):");
    private static final Pattern FACT = Pattern.compile("  ([A-Z][a-z]+(?: [a-z]+)?):? (.*)");
    private static final String FRAME = "    ";

    private final Map<Long, Stack> stacks = new LinkedHashMap<>();
    private final Map<String, String> shared = new HashMap<>();
    private boolean isDump;
    private long id = -1;
    private String name;
    private Map<String, String> facts = new HashMap<>();
    private List<String> frames = new ArrayList<>();

    /** Reads the next line. */
    public void line(String line) {
      Matcher thread = THREAD.matcher(line);
      Matcher fact = FACT.matcher(line);
      if (line.startsWith("Process Thread Dump:")) {
        isDump = true;
      } else if (thread.matches()) {
        finish();
        id = Long.parseLong(thread.group(1));
        name = thread.group(2);
      } else if (line.startsWith(FRAME)) {
        String frame = line.trim();
        int parenthesis = frame.indexOf('(');
        // java.base@17.0.15/java.lang.Thread.run, app//org.apache.hadoop..
        int slash = frame.lastIndexOf('/', parenthesis < 0 ? frame.length() : parenthesis);
        frames.add(shared(frame.substring(slash + 1)));
      } else if (fact.matches()) {
        facts.put(shared(fact.group(1)), shared(fact.group(2)));
      }
    }

    private String shared(String text) {
      String before = shared.putIfAbsent(text, text);
      return before == null ? text : before;
    }

    private void finish() {
      if (id >= 0) {
        stacks.put(
            id, new Stack(id, name, facts, Collections.unmodifiableList(new ArrayList<>(frames))));
      }
      facts = new HashMap<>();
      frames = new ArrayList<>();
      id = -1;
    }

    /**
     * The dump, once all lines are read; null when this was none.
     *
     * @param seconds since the first round
     */
    public ThreadDump end(double seconds) {
      finish();
      Set<Long> kept = new HashSet<>();
      for (Stack stack : stacks.values()) {
        if (stack.waitsForDataset()) {
          kept.add(stack.id);
          kept.add(stack.blockedBy());
        } else if (stack.doesFileIo()) {
          kept.add(stack.id);
        }
      }
      stacks.keySet().retainAll(kept);
      return isDump ? new ThreadDump(seconds, Collections.unmodifiableMap(stacks)) : null;
    }
  }

  /** Seconds since the first round. */
  public double seconds() {
    return seconds;
  }

  /** Threads that wait for the lock of the dataset. */
  int waiting() {
    return (int) stacks.values().stream().filter(Stack::waitsForDataset).count();
  }

  /** Its threads that count, by number. */
  Map<Long, Stack> stacks() {
    return stacks;
  }
}
