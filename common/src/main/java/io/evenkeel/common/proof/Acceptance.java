package io.evenkeel.common.proof;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What of a Hadoop nobody has read, but a trial of the module's behaviour has passed with. A file
 * beside the module's jar, one entry a line:
 *
 * <pre>
 * own DIGEST              of the module's classes
 * file NAME DIGEST        a jar of Hadoop, or a class file that is in none
 * member CLASS METHOD     as in an {@link Audit}
 * body CLASS METHOD FINGERPRINT
 * </pre>
 *
 * <p>It holds for exactly these files. Digests are SHA-256. Immutable.
 */
public final class Acceptance {
  private static final int BUFFER = 64 << 10;

  private final String name;
  private final Set<String> entries;
  private final Map<String, String> files;
  private final String own;

  private Acceptance(String name, Set<String> entries, Map<String, String> files, String own) {
    this.name = name;
    this.entries = entries;
    this.files = files;
    this.own = own;
  }

  /** What its file is called. */
  public static String fileName(String module) {
    return "evenkeel-accepted-" + module + ".txt";
  }

  /**
   * Reads the file beside a jar, or beside what the jar is a link to; of nothing without one.
   *
   * @throws IOException when it cannot be read, or is not as described
   */
  public static Acceptance beside(Path jar, String module) throws IOException {
    for (Path each : new Path[] {jar, jar.toRealPath()}) {
      Path file = each.resolveSibling(fileName(module));
      try {
        return read(fileName(module), Files.readAllLines(file));
      } catch (NoSuchFileException e) {
        continue; // the usual case
      }
    }
    return new Acceptance(null, Collections.emptySet(), Collections.emptyMap(), null);
  }

  private static Acceptance read(String name, List<String> lines) throws IOException {
    Set<String> entries = new LinkedHashSet<>();
    Map<String, String> files = new TreeMap<>();
    String own = null;
    for (String line : lines) {
      String[] words = line.trim().split("\\s+");
      if (words[0].equals("file") && words.length == 3) {
        files.put(words[1], words[2]);
      } else if (words[0].equals("own") && words.length == 2) {
        own = words[1];
      } else if (words[0].equals("member") || words[0].equals("body")) {
        entries.add(String.join(" ", words));
      } else if (!words[0].isEmpty() && !words[0].startsWith("#")) {
        throw new IOException(name + ": not understood: '" + line + "'");
      }
    }
    return new Acceptance(name, entries, files, own);
  }

  /**
   * What does not fit and is not accepted, one line each. When a file is another one than was
   * tried, nothing is accepted, and that comes first.
   *
   * @throws IOException when a jar cannot be read
   */
  public List<String> problems(Proof proof) throws IOException {
    if (name == null) {
      return proof.problems();
    }
    String changed = changed(proof);
    if (changed != null) {
      List<String> problems = new ArrayList<>();
      problems.add(name + " does not hold: " + changed + " is not the one that was tried");
      problems.addAll(proof.problems());
      return problems;
    }
    List<String> problems = new ArrayList<>(proof.broken());
    proof
        .unread()
        .forEach(
            (entry, shown) -> {
              if (!entries.contains(entry)) {
                problems.add(shown);
              }
            });
    return problems;
  }

  /** The first file that is not as it was; null when all are. */
  private String changed(Proof proof) throws IOException {
    if (!proof.own().equals(own)) {
      return "this version of the module";
    }
    for (Map.Entry<String, Path> each : proof.origins().entrySet()) {
      if (!digest(each.getValue()).equals(files.get(each.getKey()))) {
        return each.getKey();
      }
    }
    return null;
  }

  /** How many differences it accepts, for a log; empty where there is none. */
  public String summary() {
    String differences = entries.size() == 1 ? " difference" : " differences";
    return name == null ? "" : ", " + entries.size() + differences + " accepted by " + name;
  }

  /**
   * The lines of a file that accepts what is not read.
   *
   * @throws IOException when a jar cannot be read
   */
  public static List<String> lines(Proof proof) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("own " + proof.own());
    for (Map.Entry<String, Path> each : proof.origins().entrySet()) {
      lines.add("file " + each.getKey() + " " + digest(each.getValue()));
    }
    lines.addAll(proof.unread().keySet());
    return lines;
  }

  private static String digest(Path file) throws IOException {
    MessageDigest digest = digest();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return hex(digest);
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }

  static String hex(MessageDigest digest) {
    StringBuilder text = new StringBuilder();
    for (byte each : digest.digest()) {
      text.append(String.format("%02x", each));
    }
    return text.toString();
  }
}
