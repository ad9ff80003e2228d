package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The {@code dfs.mover.*} keys of stock's Mover: the login is taken over, the others have no use.
 * Those are refused where somebody gives them to this command; in a file, which is stock's Mover's
 * too, they are named in a warning. Separate from the tool: all that is known of stock's keys
 * stands here.
 */
final class StockSettings {
  private static final String ADDRESS = "dfs.mover.address";
  private static final List<String> WITHOUT_USE =
      Arrays.asList(
          "dfs.mover.movedWinWidth",
          "dfs.mover.moverThreads",
          "dfs.mover.retry.max.attempts",
          "dfs.mover.max-no-move-interval");

  private static final String COMMAND_LINE = "from command line"; // of GenericOptionsParser

  private StockSettings() {}

  /**
   * Warns of the keys of stock's Mover that somebody set and that have no use here.
   *
   * @throws CommandException when there are any that were given by {@code -D}
   */
  static void check(Configuration conf, PrintStream err) {
    List<String> given = new ArrayList<>();
    List<String> ignored = new ArrayList<>();
    for (String key : WITHOUT_USE) {
      String[] sources = conf.getPropertySources(key);
      List<String> from = sources == null ? Collections.emptyList() : Arrays.asList(sources);
      if (from.contains(COMMAND_LINE)) {
        given.add(key);
      } else if (!from.isEmpty() && !from.contains("hdfs-default.xml")) {
        ignored.add(key);
      }
    }
    if (!given.isEmpty()) {
      String keys = String.join(", ", given);
      throw new CommandException(
          ExitCode.USAGE,
          "for hdfs mover only: " + keys + "; use the evenkeel.mover.* keys instead");
    }
    if (!ignored.isEmpty()) {
      String keys = String.join(", ", ignored);
      err.println("mover: warning: ignored, as it is for hdfs mover only: " + keys);
    }
  }

  /** Logs in from the keytab where {@code dfs.mover.keytab.enabled} says so. */
  static void login(Configuration conf) throws IOException {
    if (!conf.getBoolean("dfs.mover.keytab.enabled", false)) {
      return;
    }
    UserGroupInformation.setConfiguration(conf);
    String host =
        NetUtils.createSocketAddr(conf.get(ADDRESS, "0.0.0.0:0"), 0, ADDRESS).getHostName();
    SecurityUtil.login(conf, "dfs.mover.keytab.file", "dfs.mover.kerberos.principal", host);
  }
}
