package io.evenkeel.mover.hdfs;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One NameNode or nameservice: its clients, and what has to be asked only once. Opening costs no
 * call; server defaults, storage policies and block keys cost one call each when first needed.
 * Takes no lock in HDFS, so any number may be open at once. Always asks the active NameNode, also
 * where clients are configured to read from observers. Thread-safe.
 */
public final class HdfsConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsConnection.class);
  private static final String HDFS = "hdfs";
  private static final int DEFAULT_PORT = HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT;
  private static final int TRIES = 5;
  private static final long PAUSE_MILLIS = 1000;

  /** A call to the NameNode. */
  interface Call<T> {
    T run() throws IOException;
  }

  private final Configuration conf;
  private final URI nameNode;
  private final UserGroupInformation user;
  private final DistributedFileSystem fileSystem;
  private final NamenodeProtocol protocol;
  private volatile Map<String, DatanodeInfo> dataNodes = Collections.emptyMap();
  private volatile String blockPool;
  private volatile UpgradeWatch watch; // null where nothing is a reason not to move

  // Written by the checks, before anything moves.
  private volatile boolean mayUpgrade;
  private volatile Predicate<String> known; // null where every version may be used
  private volatile String allow;
  private StoragePolicies policies;
  private BlockKeys keys;

  private HdfsConnection(
      Configuration conf,
      URI nameNode,
      UserGroupInformation user,
      DistributedFileSystem fileSystem,
      NamenodeProtocol protocol) {
    this.conf = conf;
    this.nameNode = nameNode;
    this.user = user;
    this.fileSystem = fileSystem;
    this.protocol = protocol;
  }

  /**
   * Opens it; no call is made yet.
   *
   * @param nameNode {@code hdfs://host[:port]} or {@code hdfs://nameservice}
   * @throws CommandException when the host is not known
   */
  public static HdfsConnection open(Configuration conf, URI nameNode) throws IOException {
    Configuration own = withoutObservers(conf, nameNode);
    URI uri = normal(own, nameNode);
    FileSystem.setDefaultUri(own, uri); // whose a path is that names no other one
    DistributedFileSystem fileSystem = new DistributedFileSystem();
    try {
      fileSystem.initialize(uri, own);
      NamenodeProtocol protocol =
          NameNodeProxies.createProxy(own, uri, NamenodeProtocol.class).getProxy();
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      return new HdfsConnection(own, uri, user, fileSystem, protocol);
    } catch (IllegalArgumentException | IOException e) {
      IOUtils.cleanupWithLogger(LOG, fileSystem); // 3.1 closes what it has not opened
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, uri + ": cannot be used: " + HdfsErrors.firstLine(e), e);
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
    String authority = nameNode.getAuthority();
    boolean logical = HAUtilClient.isLogicalUri(conf, nameNode);
    if (nameNode.getPort() < 0 && !logical) {
      authority += ":" + DEFAULT_PORT;
    } else if (nameNode.getPort() == DEFAULT_PORT && logical) {
      authority = nameNode.getHost(); // HDFS takes a nameservice with this port too
    }
    return URI.create(HDFS + "://" + authority);
  }

  private static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }

  /**
   * The path without scheme and authority; one that names no NameNode is of this one, whatever the
   * default file system is. A path of {@code viewfs} is looked up in the mount table.
   *
   * @throws CommandException when it is relative, or belongs to another NameNode or file system
   */
  public String pathOf(Path path) throws IOException {
    if (!path.isAbsolute()) {
      throw usage(path + ": a relative path; give it from the root");
    }
    boolean mounted = "viewfs".equals(path.toUri().getScheme());
    URI uri =
        (mounted ? mounted(path.getFileSystem(conf), path) : path.makeQualified(nameNode, null))
            .toUri();
    if (!HDFS.equals(uri.getScheme())) {
      throw usage(path + ": not in HDFS (" + uri + ")");
    }
    if (!nameNode.equals(normal(conf, uri))) {
      throw usage(path + ": not of " + nameNode + ", which this mover is for");
    }
    return uri.getPath();
  }

  /** Where a mount leads; a path that does not exist, or is a pattern, to where its parent does. */
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

  /** The NameNode or nameservice. */
  public URI nameNode() {
    return nameNode;
  }

  /** The user who opened it, whom clients made later on other threads are to be of, too. */
  UserGroupInformation user() {
    return user;
  }

  /** The configuration the clients were made with; not to be changed. */
  public Configuration conf() {
    return conf;
  }

  /** A file system of its own, not one of the cached. */
  public DistributedFileSystem fileSystem() {
    return fileSystem;
  }

  /** The client of {@link #fileSystem}. */
  public DFSClient client() {
    return fileSystem.getClient();
  }

  /** The protocol of other servers to a NameNode; for the superuser. */
  public NamenodeProtocol protocol() {
    return protocol;
  }

  /**
   * Makes sure that blocks may be moved: the user is the superuser, and what is deleted by a move
   * does not stay in the trash of an upgrade. Two calls. When it agrees, {@link #refusal} tells of
   * upgrades that begin later.
   *
   * @param allowed whether to go on in an upgrade; the user's rights are still asked for
   * @throws io.evenkeel.mover.engine.AccessDeniedException when the user is not the superuser
   * @throws CommandException when an upgrade is not finalised, or the NameNode cannot be used
   */
  public void checkUpgrade(boolean allowed) throws IOException {
    String upgrade;
    try {
      upgrade = UpgradeWatch.upgrade(this);
    } catch (io.evenkeel.mover.engine.AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, e.getMessage(), e);
    }
    if (!allowed && upgrade != null) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, upgrade);
    }
    mayUpgrade = allowed;
    watch = allowed && known == null ? null : new UpgradeWatch(this::obstacle, System::nanoTime);
  }

  /**
   * Why nothing may be moved now: an upgrade that began after {@link #checkUpgrade}, unless moving
   * is allowed in one, or a version that {@link #checkVersion} would not let pass; null when it
   * may. Three calls when the last answer is older than 10 s.
   */
  public String refusal() {
    UpgradeWatch asked = watch;
    return asked == null ? null : asked.refusal();
  }

  private String obstacle() throws IOException {
    String upgrade = mayUpgrade ? null : UpgradeWatch.upgrade(this);
    return upgrade == null && known != null ? unknownVersion() : upgrade;
  }

  /** Whether the NameNode is in safe mode, where it deletes no excess replica. One call. */
  public boolean isInSafeMode() throws IOException {
    return call(
        "safe mode query",
        () -> client().setSafeMode(HdfsConstants.SafeModeAction.SAFEMODE_GET, false));
  }

  /** Whether a DataNode is in maintenance, also one that does not run. One call. */
  public boolean hasMaintenance() throws IOException {
    DatanodeInfo[] nodes =
        call(
            "getDatanodeReport" + SUPERUSER,
            () -> client().datanodeReport(HdfsConstants.DatanodeReportType.IN_MAINTENANCE));
    return nodes.length > 0;
  }

  /**
   * Makes sure that the NameNode is one whose answers are understood. One call, which also tells
   * the block pool. When it agrees, {@link #refusal} tells when that changes.
   *
   * @param knownVersions whether a version is
   * @param key what to set where it is not
   * @throws CommandException when it is not
   */
  public void checkVersion(Predicate<String> knownVersions, String key) throws IOException {
    known = knownVersions;
    allow = key;
    String refused = unknownVersion();
    if (refused != null) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, refused);
    }
    if (watch == null) {
      watch = new UpgradeWatch(this::obstacle, System::nanoTime);
    }
  }

  /** Of the NameNode, and what follows, one line; null where it is known. */
  private String unknownVersion() throws IOException {
    NamespaceInfo info = call("versionRequest" + SUPERUSER, protocol::versionRequest);
    sawBlockPool(info.getBlockPoolID());
    return known.test(info.getSoftwareVersion())
        ? null
        : nameNode
            + " is Hadoop "
            + info.getSoftwareVersion()
            + ", of which no release was read; set "
            + allow
            + "=true to use it all the same";
  }

  /** Tells the block pool, as seen in any block of the namespace. */
  void sawBlockPool(String id) {
    if (blockPool == null) {
      blockPool = id;
    }
  }

  /** Id of the block pool; one call when no block was seen so far. */
  String blockPool() throws IOException {
    if (blockPool == null) {
      blockPool = call("versionRequest" + SUPERUSER, protocol::versionRequest).getBlockPoolID();
    }
    return blockPool;
  }

  /** The server's defaults; the client asks for them once an hour at most. */
  FsServerDefaults serverDefaults() throws IOException {
    return call("getServerDefaults", () -> client().getServerDefaults());
  }

  /** The storage policies. */
  synchronized StoragePolicies policies() throws IOException {
    if (policies == null) {
      policies =
          new StoragePolicies(
              () -> call("getStoragePolicies", () -> client().getStoragePolicies()),
              this::serverDefaults,
              System::nanoTime);
    }
    return policies;
  }

  /** The block keys. */
  synchronized BlockKeys blockKeys() throws IOException {
    if (keys == null) {
      keys =
          new BlockKeys(
              () -> call("getBlockKeys" + SUPERUSER, protocol::getBlockKeys),
              blockPool(),
              () -> serverDefaults().getEncryptDataTransfer(),
              conf);
    }
    return keys;
  }

  /** The live DataNodes now: one call. */
  DatanodeStorageReport[] dataNodeReport() throws IOException {
    DatanodeStorageReport[] reports =
        call(
            "getDatanodeStorageReport" + SUPERUSER,
            () -> client().getDatanodeStorageReport(HdfsConstants.DatanodeReportType.LIVE));
    Map<String, DatanodeInfo> live = new HashMap<>();
    for (DatanodeStorageReport report : reports) {
      live.put(report.getDatanodeInfo().getDatanodeUuid(), report.getDatanodeInfo());
    }
    dataNodes = live;
    return reports;
  }

  /** A DataNode of the last {@link #dataNodeReport}, null when it was not live then. */
  DatanodeInfo dataNode(String uuid) {
    return dataNodes.get(uuid);
  }

  /**
   * A page of a directory, or a file. One call.
   *
   * @param start the name after which it begins
   * @param located whether with the replicas of files
   * @return null when there is no such path
   */
  DirectoryListing list(String path, byte[] start, boolean located) throws IOException {
    try {
      return call("list " + path, () -> client().listPaths(path, start, located));
    } catch (IOException e) {
      if (HdfsErrors.isMissing(e, path)) {
        return null;
      }
      throw e;
    }
  }

  /** What a page has; nothing where there is none. */
  static HdfsFileStatus[] entries(DirectoryListing page) {
    return page == null ? new HdfsFileStatus[0] : page.getPartialListing();
  }

  /** Makes a call; what passes by itself within seconds is tried again. */
  <T> T call(String what, Call<T> call) throws IOException {
    for (int i = 1; ; i++) {
      try {
        return call.run();
      } catch (IOException e) {
        if (HdfsErrors.isMissing(e)) {
          throw HdfsErrors.unwrap(e);
        }
        if (i == TRIES || !HdfsErrors.isPassing(e)) {
          throw HdfsErrors.translate(e, nameNode, what);
        }
      }
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  @Override
  public void close() {
    RPC.stopProxy(protocol);
    IOUtils.cleanupWithLogger(LOG, fileSystem);
  }

  static final String SUPERUSER = " (needs the HDFS superuser)";

  /**
   * A copy that asks the active NameNode of a nameservice also where clients are configured to read
   * from observers: those may not know yet what was just moved, and have no events.
   */
  public static Configuration withoutObservers(Configuration conf, URI nameNode) {
    Configuration own = new Configuration(conf);
    String key = HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + "." + nameNode.getHost();
    String provider = own.get(key, "");
    String ha = "org.apache.hadoop.hdfs.server.namenode.ha.";
    if (provider.contains("ObserverReadProxyProvider")) {
      boolean ip = provider.contains("WithIPFailover");
      own.set(key, ha + (ip ? "IPFailoverProxyProvider" : "ConfiguredFailoverProxyProvider"));
    }
    return own;
  }
}
