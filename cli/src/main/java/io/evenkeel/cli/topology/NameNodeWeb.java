package io.evenkeel.cli.topology;

import io.evenkeel.cli.core.blocks.FsckReader;
import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.ListingException;
import io.evenkeel.cli.core.blocks.PathSampler;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.http.WebClient;
import io.evenkeel.common.http.WebStatusException;
import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What a NameNode's web server says of files: {@code /fsck} as the command of that name asks it,
 * and WebHDFS. Asks as a user without a password, so not where Kerberos is on. Immutable; every
 * failure is a {@link CommandException} of one line.
 */
public final class NameNodeWeb implements PathSampler.Tree {
  private static final String STATUS = "Hadoop:service=NameNode,name=NameNodeStatus";

  /** Not {@code FSNamesystem}: what metrics tell in JMX is up to ten seconds old. */
  private static final String SYSTEM = "Hadoop:service=NameNode,name=FSNamesystemState";

  private final WebClient web;
  private final JmxClient jmx;
  private final String user;
  private final String byFile;

  /**
   * Creates a client; limits are those of {@link WebClient}.
   *
   * @param user to ask as
   * @param option that takes the output of fsck instead, such as {@code --fsck}
   */
  public NameNodeWeb(URI base, String user, int timeoutMillis, String option) {
    this.web = new WebClient(base, timeoutMillis);
    this.jmx = new JmxClient(base, timeoutMillis);
    this.user = user;
    this.byFile =
        "; run 'hdfs fsck / -files -blocks -locations -racks > FILE' and give " + option + " FILE";
  }

  /** What to do where the web server cannot be asked. */
  String byFile() {
    return byFile;
  }

  /** The address asked. */
  public URI base() {
    return web.base();
  }

  /** Fails unless it is a NameNode that is not standby. */
  public void requireActive() {
    try {
      Object state = jmx.bean(STATUS).get("State");
      if (state == null) {
        throw failed(base() + " answers, but is no NameNode", null);
      }
      if (!"active".equals(state)) {
        throw failed(base() + " is " + state + "; give the active NameNode", null);
      }
    } catch (IOException e) {
      throw told(e);
    }
  }

  /** Blocks of the cluster, striped groups as one. */
  public long blocks() {
    try {
      Object total = jmx.bean(SYSTEM).get("BlocksTotal");
      if (total instanceof Number) {
        return ((Number) total).longValue();
      }
      throw failed(base() + " does not say how many blocks there are" + byFile, null);
    } catch (IOException e) {
      throw told(e);
    }
  }

  /**
   * Reads the blocks of a file, or of all files below a directory; none when there is no such path.
   *
   * @return the reader, which knows whether fsck came to its end
   */
  public FsckReader fsck(String path, Consumer<ListedBlock> blocks) {
    FsckReader reader = new FsckReader(blocks);
    String query =
        "/fsck?ugi="
            + encoded(user)
            + "&files=1&blocks=1&locations=1&racks=1&replicadetails=1"
            + "&storagepolicies=1&path=";
    try {
      web.lines(query + encoded(path), reader::line);
    } catch (ListingException e) {
      throw failed(base() + "/fsck of " + path + ", " + e.getMessage(), e);
    } catch (IOException e) {
      throw told(e);
    }
    if (reader.failure() != null) {
      boolean denied = reader.failure().contains("ermission denied");
      throw new CommandException(
          denied ? ExitCode.DENIED : ExitCode.COULD_NOT_RUN,
          base() + "/fsck of " + path + " failed: " + reader.failure() + (denied ? asOther() : ""));
    }
    if (!reader.isAbsent() && !reader.isComplete()) {
      throw failed(base() + "/fsck of " + path + " ended without its summary", null);
    }
    return reader;
  }

  @Override
  public PathSampler.Size size(String directory) {
    Map<?, ?> summary = member(webHdfs(directory, "GETCONTENTSUMMARY", ""), "ContentSummary");
    return new PathSampler.Size(
        number(summary, "fileCount"), Math.max(1, number(summary, "directoryCount")));
  }

  @Override
  public PathSampler.Level level(String directory) {
    List<String> directories = new ArrayList<>();
    long[] files = {0};
    list(
        directory,
        (name, type) -> {
          if ("DIRECTORY".equals(type)) {
            directories.add(name);
          } else if ("FILE".equals(type)) {
            files[0]++;
          }
        });
    return new PathSampler.Level(files[0], directories);
  }

  /** Names the files directly in a directory. */
  public void files(String directory, Consumer<String> names) {
    list(
        directory,
        (name, type) -> {
          if ("FILE".equals(type)) {
            names.accept(name);
          }
        });
  }

  /** Page by page, as the NameNode hands out no more at a time; of a path that is gone, nothing. */
  private void list(String directory, BiConsumer<String, Object> entries) {
    String last = "";
    for (long left = 1; left > 0; ) {
      String after = last.isEmpty() ? "" : "&startAfter=" + encoded(last);
      Map<?, ?> page = member(webHdfs(directory, "LISTSTATUS_BATCH", after), "DirectoryListing");
      Object found = member(member(page, "partialListing"), "FileStatuses").get("FileStatus");
      List<?> statuses = found instanceof List ? (List<?>) found : new ArrayList<>();
      for (Object status : statuses) {
        last = String.valueOf(((Map<?, ?>) status).get("pathSuffix"));
        entries.accept(last, ((Map<?, ?>) status).get("type"));
      }
      left = statuses.isEmpty() ? 0 : number(page, "remainingEntries");
    }
  }

  /** An empty document when the path is gone. */
  private Map<?, ?> webHdfs(String path, String operation, String more) {
    String address = "/webhdfs/v1" + encoded(path).replace("%2F", "/");
    try {
      Object answer =
          Json.parse(web.get(address + "?op=" + operation + "&user.name=" + encoded(user) + more));
      return answer instanceof Map ? (Map<?, ?>) answer : member(null, "");
    } catch (IllegalArgumentException e) {
      throw failed(base() + "/webhdfs did not answer with JSON" + byFile, e);
    } catch (WebStatusException e) {
      if (e.code() == 404 && e.body().contains("FileNotFoundException")) {
        return member(null, "");
      }
      throw told(e);
    } catch (IOException e) {
      throw told(e);
    }
  }

  private CommandException told(IOException e) {
    if (!(e instanceof WebStatusException)) {
      return failed(e.getMessage(), e);
    }
    WebStatusException answer = (WebStatusException) e;
    if (answer.code() == 401) {
      return failed(base() + " asks for Kerberos" + byFile, e);
    }
    if (answer.body().contains("AccessControlException")) {
      String reason = answer.body().replaceAll("(?s).*\"message\"\\s*:\\s*\"([^\"]*)\".*", "$1");
      return new CommandException(ExitCode.DENIED, base() + " denied it: " + reason + asOther(), e);
    }
    return failed(e.getMessage() + byFile, e);
  }

  private String asOther() {
    return "; asked as " + user + ", give a --user who may read everything";
  }

  private static CommandException failed(String message, Exception cause) {
    return new CommandException(ExitCode.COULD_NOT_RUN, message.replaceAll("\\s+", " "), cause);
  }

  private static Map<?, ?> member(Map<?, ?> json, String name) {
    Object found = json == null ? null : json.get(name);
    return found instanceof Map ? (Map<?, ?>) found : Collections.emptyMap();
  }

  private static long number(Map<?, ?> json, String name) {
    Object found = json.get(name);
    return found instanceof Number ? ((Number) found).longValue() : 0;
  }

  private static String encoded(String text) {
    try {
      return URLEncoder.encode(text, "UTF-8").replace("+", "%20");
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException(e);
    }
  }
}
