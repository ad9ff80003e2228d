package io.evenkeel.cli;

import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Files of a NameNode, one block each, as {@code /fsck} and WebHDFS tell of them. */
final class FakeNamespace {
  private static final int PAGE = 50;

  final ConcurrentLinkedQueue<String> checked = new ConcurrentLinkedQueue<>();
  private final NavigableMap<String, String> files = new TreeMap<>();
  private final Set<String> cold = new TreeSet<>();

  /** A file whose block has replicas at these places. */
  FakeNamespace file(String path, String places) {
    files.put(path, places);
    return this;
  }

  /** The same, whose policy is COLD, on disks. */
  FakeNamespace coldFile(String path, String places) {
    cold.add(path);
    return file(path, places);
  }

  int size() {
    return files.size();
  }

  FakeDaemon nameNode(FakeDaemon daemon) {
    Map<String, Object> nodes = new LinkedHashMap<>();
    for (String places : new TreeSet<>(files.values())) {
      for (String place : places.split(", ", -1)) {
        int last = place.lastIndexOf('/');
        nodes.put(
            place.substring(last + 1),
            Map.of(
                "location",
                place.substring(0, last),
                "xferaddr",
                place.substring(last + 1),
                "capacity",
                1,
                "adminState",
                "In Service"));
      }
    }
    return daemon
        .bean("Hadoop:service=NameNode,name=NameNodeInfo", Map.of("LiveNodes", Json.compact(nodes)))
        .bean("Hadoop:service=NameNode,name=FSNamesystemState", Map.of("BlocksTotal", files.size()))
        .servlet("/fsck", (path, query) -> fsck(query))
        .servlet("/webhdfs/v1", this::webHdfs);
  }

  private List<String> below(String directory) {
    String prefix = directory.equals("/") ? "/" : directory + "/";
    return files.keySet().stream().filter(f -> f.startsWith(prefix)).toList();
  }

  private String fsck(Map<String, String> query) {
    String path = query.get("path");
    checked.add(path);
    List<String> found = files.containsKey(path) ? List.of(path) : below(path);
    StringBuilder text = new StringBuilder("FSCK started by x for path " + path + " at now\n\n");
    for (String file : found) {
      text.append(file).append(" 100 bytes, replicated: replication=3, 1 block(s):  OK\n");
      text.append("0. BP-1-h-1:blk_1_1 len=100 Live_repl=3 [");
      text.append(files.get(file)).append("]\n\n");
    }
    text.append("\nStatus: HEALTHY\n");
    if (query.containsKey("storagepolicies")) {
      long wrong = found.stream().filter(cold::contains).count();
      String right = "%nBlocks satisfying the specified storage policy:%nStorage Policy";
      text.append(String.format(right + "%nDISK:3(HOT)  %d  50%%%n", found.size() - wrong));
      if (wrong > 0) {
        String other = "%nBlocks NOT satisfying the specified storage policy:%nStorage Policy";
        text.append(String.format(other + "%nDISK:3(HOT)  COLD  %d  50%%%n", wrong));
      }
    }
    return text + "FSCK ended at now in 1 milliseconds\n";
  }

  private String webHdfs(String address, Map<String, String> query) {
    String full = address.substring("/webhdfs/v1".length());
    String path = full.length() > 1 ? full.replaceFirst("/$", "") : "/";
    List<String> below = below(path);
    if (below.isEmpty()) {
      throw new FakeDaemon.Refused(
          404, "{\"RemoteException\":{\"exception\":\"FileNotFoundException\"}}");
    }
    if (query.get("op").equals("GETCONTENTSUMMARY")) {
      Set<String> directories = new TreeSet<>();
      below.forEach(f -> directories.add(f.substring(0, f.lastIndexOf('/'))));
      return Json.compact(
          Map.of(
              "ContentSummary",
              Map.of("fileCount", below.size(), "directoryCount", directories.size())));
    }
    return page(path, below, query.getOrDefault("startAfter", ""));
  }

  private static String page(String path, List<String> below, String after) {
    Map<String, String> types = new TreeMap<>();
    int from = path.equals("/") ? 1 : path.length() + 1;
    for (String file : below) {
      int slash = file.indexOf('/', from);
      String name = slash < 0 ? file.substring(from) : file.substring(from, slash);
      types.put(name, slash < 0 ? "FILE" : "DIRECTORY");
    }
    types.keySet().removeIf(name -> name.compareTo(after) <= 0);
    List<Object> statuses = new ArrayList<>();
    types.forEach(
        (name, type) -> {
          if (statuses.size() < PAGE) {
            statuses.add(Map.of("pathSuffix", name, "type", type));
          }
        });
    return Json.compact(
        Map.of(
            "DirectoryListing",
            Map.of(
                "partialListing",
                Map.of("FileStatuses", Map.of("FileStatus", statuses)),
                "remainingEntries",
                types.size() - statuses.size())));
  }
}
