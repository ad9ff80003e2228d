package io.evenkeel.common.proof;

import io.evenkeel.common.config.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
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
  private static final long LARGEST = 1_000_000;

  private final List<String> problems;
  private final int accepted;
  private final String name;

  private Acceptance(List<String> problems, int accepted, String name) {
    this.problems = Collections.unmodifiableList(problems);
    this.accepted = accepted;
    this.name = name;
  }

  /** What its file is called. */
  public static String fileName(String module) {
    return "evenkeel-accepted-" + module + ".txt";
  }

  /**
   * Where a jar's file is: beside what the jar is a link to, since a JVM follows links on its class
   * path before anybody can ask it for the jar.
   *
   * @throws IOException when there is no such jar
   */
  public static Path fileOf(Path jar, String module) throws IOException {
    return jar.toRealPath().resolveSibling(fileName(module));
  }

  /**
   * What does not fit and is not accepted by the file beside a jar. Where nothing is unknown there
   * is no such question, and no file is read. One that cannot be used, or is about other files than
   * are there, accepts nothing; that comes first.
   */
  public static Acceptance of(Proof proof, Path jar, String module) {
    String name = fileName(module);
    if (proof.unread().isEmpty()) {
      return new Acceptance(proof.problems(), 0, name);
    }
    String why;
    try {
      Path file = fileOf(jar, module);
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new IOException("it is no file");
      }
      if (Files.isSymbolicLink(file) && !Files.exists(file)) {
        throw new IOException("it is a link to nothing");
      }
      if (Files.exists(file) && Files.size(file) > LARGEST) {
        throw new IOException("it has more than " + LARGEST + " bytes");
      }
      List<String> lines = Files.readAllLines(file);
      Entries entries = Entries.read(lines);
      why = entries.changed(proof);
      if (why == null) {
        List<String> problems = new ArrayList<>(proof.broken());
        proof.unread().forEach((entry, shown) -> entries.addUnlessAccepted(entry, shown, problems));
        int accepted = proof.problems().size() - problems.size();
        return new Acceptance(problems, accepted, name);
      }
    } catch (NoSuchFileException e) {
      return new Acceptance(proof.problems(), 0, name); // the usual case
    } catch (AccessDeniedException e) {
      List<String> problems = new ArrayList<>();
      problems.add(name + " may not be read by the user of this process");
      problems.addAll(proof.problems());
      return new Acceptance(problems, 0, name);
    } catch (CharacterCodingException e) {
      why = "it is not UTF-8";
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    List<String> problems = new ArrayList<>();
    problems.add(name + " does not hold (run 'evenkeel prove --run' again): " + why);
    problems.addAll(proof.problems());
    return new Acceptance(problems, 0, name);
  }

  /** What does not fit, one line each. */
  public List<String> problems() {
    return problems;
  }

  /** How many differences are accepted, for a log; empty where none is. */
  public String summary() {
    String differences = accepted == 1 ? " difference" : " differences";
    return accepted == 0 ? "" : ", " + accepted + differences + " accepted by " + name;
  }

  /** What a file says. */
  private static final class Entries {
    private final Set<String> accepted = new LinkedHashSet<>();
    private final Map<String, String> namesByDigest = new TreeMap<>();
    private String own;

    static Entries read(List<String> lines) throws IOException {
      Entries entries = new Entries();
      for (String line : lines) {
        String[] words = line.trim().split("\\s+");
        if (words[0].equals("file") && words.length == 3) {
          entries.namesByDigest.put(words[2], words[1]);
        } else if (words[0].equals("own") && words.length == 2) {
          if (entries.own != null) {
            throw new IOException("it is of more than one trial");
          }
          entries.own = words[1];
        } else if (words[0].equals("member") || words[0].equals("body")) {
          entries.accepted.add(String.join(" ", words));
        } else if (!words[0].isEmpty() && !words[0].startsWith("#")) {
          throw new IOException("not understood: '" + OneLine.of(line) + "'");
        }
      }
      if (entries.own == null) {
        throw new IOException("it does not say of which version of the module it is");
      }
      return entries;
    }

    /** The first file that is not as it was; null when all are. What a jar is called is nothing. */
    String changed(Proof proof) {
      if (!proof.own().equals(own)) {
        return "another version of the module was tried";
      }
      for (Map.Entry<Path, String> each : proof.origins().entrySet()) {
        String digest;
        try {
          digest = digest(each.getKey());
        } catch (IOException e) {
          return each.getValue() + " cannot be read";
        }
        if (!namesByDigest.containsKey(digest)) {
          return namesByDigest.containsValue(each.getValue())
              ? each.getValue() + " has changed since the trial"
              : each.getValue() + " was not there at the trial";
        }
      }
      return null;
    }

    void addUnlessAccepted(String entry, String shown, List<String> problems) {
      if (!accepted.contains(entry)) {
        problems.add(shown);
      }
    }
  }

  /**
   * The lines of a file that accepts what is not read.
   *
   * @throws IOException when a jar cannot be read
   */
  public static List<String> lines(Proof proof) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("own " + proof.own());
    for (Map.Entry<Path, String> each : proof.origins().entrySet()) {
      lines.add("file " + each.getValue().replaceAll("\\s", "_") + " " + digest(each.getKey()));
    }
    lines.addAll(proof.unread().keySet());
    return lines;
  }

  private static String digest(Path file) throws IOException {
    MessageDigest digest = Sha256.begin();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return Sha256.end(digest);
  }
}
