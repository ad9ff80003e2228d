package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.hdfs.NameNodes;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** The movers of a command, one for each namespace, opened when first asked for. Thread-safe. */
public final class OpenMovers implements Closeable {
  private final Movers movers;
  private final Configuration conf;
  private final Map<String, URI> byAuthority = new ConcurrentHashMap<>();
  private final Map<URI, Movers.Mover> open = new LinkedHashMap<>();
  private boolean closed;

  /**
   * Creates it.
   *
   * @param conf whose {@code fs.defaultFS} is for paths that name no NameNode
   */
  public OpenMovers(Movers movers, Configuration conf) {
    this.movers = movers;
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
      open.put(namenode, mover);
    }
    return mover;
  }

  /** Ends all requests. */
  @Override
  public void close() {
    Map<URI, Movers.Mover> toClose;
    synchronized (this) {
      closed = true;
      toClose = new LinkedHashMap<>(open);
      open.clear();
    }
    toClose.values().forEach(Movers.Mover::close);
  }
}
