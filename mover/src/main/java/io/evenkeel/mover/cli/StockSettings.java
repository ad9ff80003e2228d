package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
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
public final class StockSettings {
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
   * Refuses the keys of stock's Mover that have no use here and were given by {@code -D}.
   *
   * @throws CommandException when there are any
   */
  public static void refuse(Configuration conf) {
    List<String> given = withoutUse(conf, sources -> sources.contains(COMMAND_LINE));
    if (!given.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          "for hdfs mover only: "
              + String.join(", ", given)
              + "; use the evenkeel.mover.* keys instead");
    }
  }

  /** The keys that were set by somebody and have no use here, in words; null when none was. */
  public static String ignored(Configuration conf) {
    List<String> set = withoutUse(conf, sources -> !sources.contains("hdfs-default.xml"));
    return set.isEmpty()
        ? null
        : "warning: ignored, as it is for hdfs mover only: " + String.join(", ", set);
  }

  /** The keys without use that somebody set, where their sources are such. */
  private static List<String> withoutUse(Configuration conf, Predicate<List<String>> such) {
    List<String> found = new ArrayList<>();
    for (String key : WITHOUT_USE) {
      String[] sources = conf.getPropertySources(key);
      if (sources != null && such.test(Arrays.asList(sources))) {
        found.add(key);
      }
    }
    return found;
  }

  /** Logs in from the keytab where {@code dfs.mover.keytab.enabled} says so. */
  public static void login(Configuration conf) throws IOException {
    if (!conf.getBoolean("dfs.mover.keytab.enabled", false)) {
      return;
    }
    UserGroupInformation.setConfiguration(conf);
    String host =
        NetUtils.createSocketAddr(conf.get(ADDRESS, "0.0.0.0:0"), 0, ADDRESS).getHostName();
    SecurityUtil.login(conf, "dfs.mover.keytab.file", "dfs.mover.kerberos.principal", host);
  }
}
