package io.evenkeel.cli.core.blocks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Blocks by the storage types of their replicas, as {@code fsck -storagepolicies} counts them in
 * the table at its end. What fsck calls a violation is judged again: it also calls so a single
 * replica on the first type of ONE_SSD or WARM. Not thread-safe.
 */
public final class StorageTypes {
  /** The types of the replicas of a policy, one after the other; the last one for all others. */
  private static final Map<String, List<String>> POLICIES = new HashMap<>();

  private static final int EXAMPLES = 3;
  private static final String SATISFYING = "Blocks satisfying the specified storage policy:";
  private static final String VIOLATING = "Blocks NOT satisfying the specified storage policy:";
  private static final Pattern ROW = Pattern.compile("([A-Z_:,\\d]+)(?:\\(\\S+\\))?\\s+(.*)");
  private static final Pattern RIGHT = Pattern.compile("(\\d+)\\s+\\S+");
  private static final Pattern WRONG = Pattern.compile("(\\S+)\\s+(\\d+)\\s+\\S+");

  static {
    POLICIES.put("HOT", Collections.singletonList("DISK"));
    POLICIES.put("COLD", Collections.singletonList("ARCHIVE"));
    POLICIES.put("WARM", Arrays.asList("DISK", "ARCHIVE"));
    POLICIES.put("ALL_SSD", Collections.singletonList("SSD"));
    POLICIES.put("ONE_SSD", Arrays.asList("SSD", "DISK"));
    POLICIES.put("ALL_NVDIMM", Collections.singletonList("NVDIMM"));
  }

  private final Map<String, Long> wrong = new LinkedHashMap<>();
  private final List<String> paths = new ArrayList<>();
  private String table = "";
  private long blocks;

  /** Reads a line of fsck; one that is none of the table is passed over. */
  void line(String line) {
    if (line.equals(SATISFYING) || line.equals(VIOLATING)) {
      table = line;
      return;
    }
    Matcher row = ROW.matcher(line.trim());
    if (table.isEmpty() || !row.matches()) {
      return;
    }
    Matcher right = RIGHT.matcher(row.group(2));
    Matcher other = WRONG.matcher(row.group(2));
    if (table.equals(SATISFYING) && right.matches()) {
      blocks += Long.parseLong(right.group(1));
    } else if (table.equals(VIOLATING) && other.matches()) {
      count(row.group(1), other.group(1), Long.parseLong(other.group(2)));
    }
  }

  private void count(String types, String policy, long count) {
    blocks += count;
    if (isWrong(types, POLICIES.get(policy))) {
      wrong.merge(policy + " on " + types, count, Long::sum);
    }
  }

  /** Of a policy that is not known, or whose replicas go elsewhere in time, nothing is wrong. */
  private static boolean isWrong(String types, List<String> policy) {
    if (policy == null) {
      return false;
    }
    List<String> left = new ArrayList<>();
    for (String type : types.split(",")) {
      String[] ofType = type.split(":");
      int replicas = ofType.length == 2 ? Integer.parseInt(ofType[1]) : 0;
      left.addAll(Collections.nCopies(replicas, ofType[0]));
    }
    int replicas = left.size();
    for (int i = 0; i < replicas; i++) {
      left.remove(policy.get(Math.min(i, policy.size() - 1)));
    }
    return !left.isEmpty();
  }

  /** Adds what was counted below a path. */
  public void add(StorageTypes other, String path) {
    blocks += other.blocks;
    other.wrong.forEach((how, count) -> wrong.merge(how, count, Long::sum));
    if (!other.wrong.isEmpty() && paths.size() < EXAMPLES) {
      paths.add(path);
    }
  }

  /** Some paths below which there are blocks on other types; none of a listing as a whole. */
  public List<String> paths() {
    return Collections.unmodifiableList(paths);
  }

  /** Blocks counted; 0 when fsck was not asked with {@code -storagepolicies}. */
  public long blocks() {
    return blocks;
  }

  /** Blocks on other types than their policy says, such as {@code ONE_SSD on DISK:3}. */
  public Map<String, Long> wrong() {
    return Collections.unmodifiableMap(wrong);
  }
}
