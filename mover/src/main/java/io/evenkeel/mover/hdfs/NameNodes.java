package io.evenkeel.mover.hdfs;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Which NameNode a path belongs to. Stateless. */
public final class NameNodes {
  private static final String HDFS = "hdfs";
  private static final int DEFAULT_PORT = HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT;

  private NameNodes() {}

  /**
   * The same path with {@code hdfs://authority}. A path of {@code viewfs} is looked up in the mount
   * table; one that does not exist, or is a pattern, leads to where its parent does.
   *
   * @throws CommandException when the path is relative or of another file system
   */
  public static Path resolve(Configuration conf, Path path) throws IOException {
    URI uri = path.toUri();
    if (!uri.getPath().startsWith(Path.SEPARATOR)) {
      throw usage(path + ": a relative path; give it from the root");
    }
    URI base = uri.getScheme() == null ? FileSystem.getDefaultUri(conf) : uri;
    if ("viewfs".equals(base.getScheme())) {
      Path resolved = mounted(FileSystem.get(base, conf), path);
      if (!HDFS.equals(resolved.toUri().getScheme())) {
        throw usage(path + ": leads to " + resolved + ", which is not in HDFS");
      }
      return withPort(conf, resolved.toUri(), resolved.toUri().getPath());
    }
    if (!HDFS.equals(base.getScheme())) {
      throw usage(path + ": in " + base + ", which is not HDFS");
    }
    if (base.getAuthority() == null) {
      base = FileSystem.getDefaultUri(conf);
      if (!HDFS.equals(base.getScheme())) {
        throw usage(path + ": names no NameNode, and fs.defaultFS is " + base);
      }
    }
    return withPort(conf, base, uri.getPath());
  }

  private static Path mounted(FileSystem viewfs, Path path) throws IOException {
    try {
      return viewfs.resolvePath(path);
    } catch (FileNotFoundException e) {
      if (path.getParent() == null) {
        throw e;
      }
      return new Path(mounted(viewfs, path.getParent()), path.getName());
    }
  }

  /**
   * The NameNode or nameservice in one spelling: with its port unless it is a nameservice.
   *
   * @throws CommandException when it is of another file system, or names none
   */
  public static URI normal(Configuration conf, URI nameNode) {
    if (!HDFS.equals(nameNode.getScheme()) || nameNode.getAuthority() == null) {
      throw usage(nameNode + ": not an HDFS NameNode; name one, as hdfs://authority");
    }
    String authority = withPort(conf, nameNode, Path.SEPARATOR).toUri().getAuthority();
    return URI.create(HDFS + "://" + authority);
  }

  private static Path withPort(Configuration conf, URI base, String path) {
    String authority = base.getAuthority();
    boolean logical = HAUtilClient.isLogicalUri(conf, base);
    if (base.getPort() < 0 && !logical) {
      authority += ":" + DEFAULT_PORT;
    } else if (base.getPort() == DEFAULT_PORT && logical) {
      authority = base.getHost(); // HDFS takes a nameservice with this port too
    }
    return new Path(HDFS, authority, path);
  }

  private static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }
}
