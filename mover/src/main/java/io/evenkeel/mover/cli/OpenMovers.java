package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.hdfs.NameNodes;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** The movers of a command, one for each namespace, opened when first asked for. Thread-safe. */
public final class OpenMovers implements Closeable {
  /** Takes what is held while a namespace is worked on. */
  public interface Guard {
    /** Takes it; closing gives it back. */
    Closeable take(URI namenode) throws IOException;
  }

  private final Movers movers;
  private final Guard guard;
  private final Configuration conf;
  private final Map<String, URI> byAuthority = new ConcurrentHashMap<>();
  private final Map<URI, Movers.Mover> open = new LinkedHashMap<>();
  private final Map<URI, Closeable> held = new LinkedHashMap<>();
  private boolean closed;

  /**
   * Creates it.
   *
   * @param conf whose {@code fs.defaultFS} is for paths that name no NameNode
   */
  public OpenMovers(Movers movers, Guard guard, Configuration conf) {
    this.movers = movers;
    this.guard = guard;
    this.conf = conf;
  }

  /**
   * The namespace of a path, in one spelling.
   *
   * @throws CommandException when it names none and the default is not HDFS
   */
  URI namenode(NamedPath path) {
    return byAuthority.computeIfAbsent(path.authority(), any -> normal(path));
  }

  private URI normal(NamedPath path) {
    String authority = path.authority();
    if (authority.isEmpty()) {
      URI defaultFs = FileSystem.getDefaultUri(conf);
      if (!"hdfs".equalsIgnoreCase(defaultFs.getScheme()) || defaultFs.getAuthority() == null) {
        throw new CommandException(
            ExitCode.USAGE,
            "'"
                + path.path()
                + "' names no NameNode and fs.defaultFS is "
                + defaultFs
                + "; give hdfs://authority"
                + path.path());
      }
      authority = defaultFs.getAuthority();
    }
    try {
      return NameNodes.normal(conf, URI.create("hdfs://" + authority));
    } catch (IllegalArgumentException e) {
      throw new CommandException(
          ExitCode.USAGE, "'hdfs://" + authority + path.path() + "' names no NameNode", e);
    }
  }

  synchronized Movers.Mover get(URI namenode) throws IOException {
    if (closed) {
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted");
    }
    Movers.Mover mover = open.get(namenode);
    if (mover == null) {
      mover = movers.open(namenode);
      open.put(namenode, mover); // before the guard, so that close() finds it
      held.put(namenode, guard.take(namenode));
    }
    return mover;
  }

  /** Ends all requests and gives everything back. */
  @Override
  public void close() {
    Map<URI, Movers.Mover> toClose;
    synchronized (this) {
      closed = true;
      toClose = new LinkedHashMap<>(open);
      open.clear();
    }
    try {
      toClose.values().forEach(Movers.Mover::close);
    } finally {
      giveBack();
    }
  }

  private synchronized void giveBack() {
    try {
      for (Closeable guarded : held.values()) {
        guarded.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      held.clear();
    }
  }
}
