package io.evenkeel.placement;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.StringTokenizer;

/**
 * Reads a file of hosts as {@code dfs.hosts} does: host names or addresses parted by white space,
 * the rest of a line after {@code #} does not count. Stateless.
 */
final class HostsFile {
  private HostsFile() {}

  /**
   * The hosts in the order of the file, each once and without a port.
   *
   * @throws IOException when the file cannot be read or has another format
   */
  static Set<String> read(Path file) throws IOException {
    Set<String> hosts = new LinkedHashSet<>();
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      String entries = line.split("#", 2)[0].trim();
      if (hosts.isEmpty() && entries.matches("[\\[{<].*")) {
        throw new IOException("not a list of hosts, one per line, but JSON or XML");
      }
      StringTokenizer each = new StringTokenizer(entries);
      while (each.hasMoreTokens()) {
        hosts.add(withoutPort(each.nextToken()));
      }
    }
    return hosts;
  }

  /** {@code host:port} loses its port; an IPv6 address has more than one colon. */
  private static String withoutPort(String entry) {
    int colon = entry.indexOf(':');
    return colon > 0 && colon == entry.lastIndexOf(':') ? entry.substring(0, colon) : entry;
  }
}
