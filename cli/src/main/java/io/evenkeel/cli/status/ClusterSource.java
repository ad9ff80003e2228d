package io.evenkeel.cli.status;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Which NameNodes to ask and where their addresses came from. Immutable. */
public final class ClusterSource {
  /** File a local cluster of real processes keeps in its directory. */
  public static final String CLUSTER_FILE = "cluster.json";

  private static final int MAX_PORT = 65_535;

  private final String description;
  private final List<URI> nameNodes;

  private ClusterSource(String description, List<URI> nameNodes) {
    this.description = description;
    this.nameNodes = Collections.unmodifiableList(new ArrayList<>(nameNodes));
  }

  /** Addresses given on the command line; may be empty when only other daemons were given. */
  public static ClusterSource given(List<URI> nameNodes) {
    return new ClusterSource("addresses given", nameNodes);
  }

  /**
   * The NameNodes of a Hadoop configuration directory.
   *
   * @throws CommandException when it is not there, cannot be read or names no NameNode
   */
  public static ClusterSource ofConf(File directory) {
    if (!directory.isDirectory()) {
      throw new CommandException(
          ExitCode.NO_SUCH_PATH, directory + " is not a directory; give --conf or --namenode");
    }
    List<URI> found;
    try {
      found = HadoopConf.load(directory).nameNodes();
      if (found.stream().anyMatch(each -> "https".equals(each.getScheme()))) {
        ClusterTrust.useOrWarn(directory);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, e.getMessage(), e);
    }
    if (found.isEmpty()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "the configuration in " + directory + " names no NameNode");
    }
    return new ClusterSource("configuration in " + directory, found);
  }

  /**
   * The NameNode of a local cluster of real processes.
   *
   * @param directory holds {@value #CLUSTER_FILE}
   * @throws CommandException when the file is not there or says no address
   */
  public static ClusterSource ofLocal(File directory) {
    File file = new File(directory, CLUSTER_FILE);
    if (!file.isFile()) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, file + " is not there; no cluster runs");
    }
    try {
      String text = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
      Object nameNode = member(Json.parse(text), "namenode");
      Object http = member(nameNode, "http");
      if (http == null) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN, file + " cannot be used: it has no namenode.http");
      }
      return new ClusterSource(
          "local cluster in " + directory, Collections.singletonList(address(http.toString())));
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, file + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static Object member(Object json, String name) {
    return json instanceof Map ? ((Map<?, ?>) json).get(name) : null;
  }

  /**
   * An address as an operator writes it; {@code http://} may be left out.
   *
   * @throws IllegalArgumentException when it is not one; the message says how to write it
   */
  public static URI address(String text) {
    URI uri = null;
    try {
      uri = URI.create(text.contains("://") ? text : "http://" + text);
    } catch (IllegalArgumentException e) {
      // told below, with the text as it was given
    }
    boolean web =
        uri != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    if (!web || uri.getHost() == null || uri.getPort() <= 0 || uri.getPort() > MAX_PORT) {
      throw new IllegalArgumentException(
          "'" + text + "' is not an address; write http://host:port");
    }
    return URI.create(uri.getScheme() + "://" + uri.getAuthority());
  }

  /** Where the addresses came from, in words. */
  public String description() {
    return description;
  }

  /** NameNodes to ask. */
  public List<URI> nameNodes() {
    return nameNodes;
  }
}
