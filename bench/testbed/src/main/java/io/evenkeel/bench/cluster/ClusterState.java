package io.evenkeel.bench.cluster;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What {@code cluster.json} holds. Immutable.
 *
 * @param hadoop release
 * @param plugins names of the plugin jars on the class path, empty with plugins off
 * @param rpc host and port of the NameNode's RPC; of two NameNodes the nameservice
 * @param webs host and port of each NameNode's web server, in the order of the NameNodes
 * @param started false while a start is under way or when it never came to its end
 * @param members all processes, NameNode first
 */
record ClusterState(
    String hadoop,
    List<String> plugins,
    String rpc,
    List<String> webs,
    boolean started,
    List<Member> members) {
  static final String FILE = "cluster.json";
  private static final long FORMAT = 1;

  ClusterState {
    plugins = List.copyOf(plugins);
    webs = List.copyOf(webs);
    members = List.copyOf(members);
  }

  ClusterState with(Member changed) {
    List<Member> list = new ArrayList<>(members);
    list.replaceAll(m -> m.name().equals(changed.name()) ? changed : m);
    return new ClusterState(hadoop, plugins, rpc, webs, started, list);
  }

  ClusterState asStarted() {
    return new ClusterState(hadoop, plugins, rpc, webs, true, members);
  }

  List<Member> of(Member.Kind kind) {
    return members.stream().filter(m -> m.kind() == kind).toList();
  }

  /** The processes that a name means: one process, or all of a host. */
  List<Member> named(String name) {
    List<Member> found = members.stream().filter(m -> m.isCalled(name)).toList();
    if (found.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          "no host or process '"
              + name
              + "' in this cluster; there are "
              + String.join(", ", names()));
    }
    return found;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    members.forEach(m -> names.add(m.name()));
    members.stream().map(Member::host).filter(h -> !h.isEmpty()).distinct().forEach(names::add);
    return names;
  }

  String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("format", FORMAT);
    map.put("hadoop", hadoop);
    map.put("plugins", plugins);
    Map<String, Object> namenode = new LinkedHashMap<>();
    namenode.put("rpc", "hdfs://" + rpc);
    namenode.put("http", "http://" + webs.get(0));
    if (webs.size() > 1) {
      namenode.put("standby", "http://" + webs.get(1));
    }
    map.put("namenode", namenode);
    map.put("started", started);
    map.put("processes", members.stream().map(Member::toJson).toList());
    return Json.pretty(map);
  }

  static ClusterState parse(String text) {
    Map<?, ?> map = (Map<?, ?>) Json.parse(text);
    if (!Objects.equals(map.get("format"), FORMAT)) {
      throw new IllegalArgumentException("format " + map.get("format") + " is not " + FORMAT);
    }
    Map<?, ?> namenode = (Map<?, ?>) map.get("namenode");
    List<String> webs = new ArrayList<>(List.of(web(namenode.get("http"))));
    if (namenode.get("standby") != null) {
      webs.add(web(namenode.get("standby")));
    }
    return new ClusterState(
        map.get("hadoop").toString(),
        ((List<?>) map.get("plugins")).stream().map(Object::toString).toList(),
        namenode.get("rpc").toString().replaceFirst("^hdfs://", ""),
        webs,
        Boolean.TRUE.equals(map.get("started")),
        ((List<?>) map.get("processes"))
            .stream().map(m -> Member.fromJson((Map<?, ?>) m)).toList());
  }

  private static String web(Object uri) {
    return uri.toString().replaceFirst("^http://", "");
  }

  /** Reads the file of a directory; empty when there is none. */
  static Optional<ClusterState> read(Path dir) {
    Path file = dir.resolve(FILE);
    try {
      return Files.exists(file) ? Optional.of(parse(Files.readString(file))) : Optional.empty();
    } catch (IOException | RuntimeException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          file + " cannot be read (" + e.getMessage() + "); 'cluster stop' ends what still runs",
          e);
    }
  }

  /** Replaces the file as a whole, so that a reader never sees half of it. */
  void write(Path dir) throws IOException {
    Path next = dir.resolve(FILE + ".new");
    Files.writeString(next, toJson() + "\n");
    Files.move(
        next,
        dir.resolve(FILE),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }
}
