package io.evenkeel.common.proof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What was read of Hadoop's releases and found to be as a module needs it. A text, one entry a
 * line, names of classes as in class files:
 *
 * <pre>
 * releases 3.4.3 3.5.0               those that were read
 * member CLASS METHOD(TYPES)TYPE     it can be overridden, in all of them
 * member CLASS METHOD(TYPES)TYPE 3.5.0     in some
 * inherited CLASS MEMBER             it is referred to there, and a parent has it
 * body CLASS METHOD                  its inside is relied on; "*" for all of it and its nested classes
 * body CLASS METHOD FINGERPRINT 3.4.3 3.5.0     and was read
 * used PREFIX                        so are those of classes called so that the module refers to
 * field CLASS NAME:TYPE              the module needs it though its class files do not name it
 * call CLASS METHOD(TYPE:ARGUMENT,...)    what it returns is relied on, as PureCalls has it
 * call CLASS METHOD(TYPE:ARGUMENT,...) RESULT 3.4.3 3.5.0     and was read
 * optional CLASS MEMBER              that class of the module may refer to it where it is missing
 * </pre>
 *
 * <p>Immutable.
 */
public final class Audit {
  private static final Pattern CALL = Pattern.compile("\\w+[(].*[)]");

  private final Set<String> releases = new LinkedHashSet<>();
  private final TreeMap<String, List<String>> members = new TreeMap<>();
  private final Set<String> inherited = new LinkedHashSet<>();
  private final Map<String, Map<String, List<String>>> bodies = new TreeMap<>();
  private final Map<String, Map<String, List<String>>> calls = new TreeMap<>();
  private final Set<String> used = new LinkedHashSet<>();
  private final Set<String> fields = new LinkedHashSet<>();
  private final Set<String> optional = new LinkedHashSet<>();

  private Audit() {}

  /** Of nothing. */
  static Audit none() {
    return new Audit();
  }

  /**
   * Reads a resource beside a class.
   *
   * @throws IllegalStateException when it is missing or not as described
   */
  public static Audit of(Class<?> beside, String resource) {
    try (InputStream in = beside.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no " + resource + " beside " + beside.getName());
      }
      return read(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(resource + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a text.
   *
   * @throws IOException when it cannot be read, or is not as described
   */
  public static Audit read(Reader text) throws IOException {
    Audit audit = new Audit();
    BufferedReader lines = new BufferedReader(text);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.trim().split("\\s+");
      if (!line.trim().isEmpty() && !line.startsWith("#") && !audit.add(Arrays.asList(words))) {
        throw new IOException("not understood: '" + line + "'");
      }
    }
    return audit;
  }

  private boolean add(List<String> words) {
    List<String> rest = words.subList(1, words.size());
    if (words.get(0).equals("releases")) {
      releases.addAll(rest);
      return true;
    }
    if (words.get(0).equals("optional") && rest.size() == 2) {
      optional.add(rest.get(0) + " " + rest.get(1));
      return true;
    }
    if (words.get(0).equals("used") && rest.size() == 1) {
      used.add(rest.get(0));
      return true;
    }
    if (words.get(0).equals("field") && rest.size() == 2) {
      fields.add(rest.get(0) + " " + rest.get(1));
      return true;
    }
    if (words.get(0).equals("inherited") && rest.size() == 2) {
      inherited.add(rest.get(0) + " " + rest.get(1));
      return true;
    }
    if (words.get(0).equals("member") && rest.size() >= 2) {
      members.put(rest.get(0) + " " + rest.get(1), new ArrayList<>(rest.subList(2, rest.size())));
      return true;
    }
    if (words.get(0).equals("body") && rest.size() >= 2) {
      addRead(bodies, rest);
      return true;
    }
    if (words.get(0).equals("call") && rest.size() >= 2 && CALL.matcher(rest.get(1)).matches()) {
      addRead(calls, rest);
      return true;
    }
    return false;
  }

  private static void addRead(Map<String, Map<String, List<String>>> read, List<String> words) {
    Map<String, List<String>> known =
        read.computeIfAbsent(words.get(0) + " " + words.get(1), any -> new TreeMap<>());
    if (words.size() > 2) {
      known.put(words.get(2), new ArrayList<>(words.subList(3, words.size())));
    }
  }

  /** The releases that were read. */
  public Set<String> releases() {
    return Collections.unmodifiableSet(releases);
  }

  /** Whether a method that can be overridden is known. */
  boolean knows(String owner, String key) {
    return members.containsKey(owner + " " + key);
  }

  /** Whether a member, as {@code CLASS MEMBER}, may be that of a parent. */
  boolean isInherited(String member) {
    return inherited.contains(member);
  }

  /** Known methods of a class that can be overridden in every release that was read. */
  List<String> inAllReleases(String owner) {
    List<String> keys = new ArrayList<>();
    String prefix = owner + " ";
    members
        .subMap(prefix, prefix + Character.MAX_VALUE)
        .forEach(
            (member, in) -> {
              if (in.isEmpty()) {
                keys.add(member.substring(prefix.length()));
              }
            });
    return keys;
  }

  /** Methods whose inside is relied on, as {@code CLASS METHOD}. */
  Set<String> reliedOn() {
    return bodies.keySet();
  }

  /** Whether a method was read, with whatever fingerprint. */
  boolean hasRead(String classAndMethod) {
    return bodies.containsKey(classAndMethod);
  }

  /** Whether a method was read with this fingerprint. */
  boolean wasRead(String classAndMethod, String fingerprint) {
    return bodies.getOrDefault(classAndMethod, Collections.emptyMap()).containsKey(fingerprint);
  }

  /** Whether methods of this class are relied on where they are referred to. */
  boolean isUsed(String owner) {
    return used.stream().anyMatch(owner::startsWith);
  }

  /** Fields that are found by reflection, as {@code CLASS NAME:TYPE}. */
  Set<String> fields() {
    return fields;
  }

  /** Calls whose results are relied on, as {@code CLASS METHOD(ARGUMENT,...)}. */
  Set<String> calls() {
    return calls.keySet();
  }

  /** Whether a call had this result in a release that was read. */
  boolean wasReturned(String call, String result) {
    return calls.get(call).containsKey(result);
  }

  /**
   * Writes what was seen of some releases, in the form that is read.
   *
   * @param seen by release; those without a method that another one has, do not have it
   */
  public static List<String> lines(Map<String, Proof> seen) {
    Map<String, List<String>> members = new TreeMap<>();
    Set<String> methods = new TreeSet<>();
    Set<String> inherited = new TreeSet<>();
    Set<String> whole = new TreeSet<>();
    seen.values().forEach(proof -> whole.addAll(proof.whole()));
    seen.values().forEach(proof -> inherited.addAll(proof.inherited()));
    seen.values().forEach(proof -> methods.addAll(proof.bodies().keySet()));
    Map<String, List<String>> bodies = new TreeMap<>();
    Map<String, List<String>> calls = new TreeMap<>();
    seen.forEach(
        (release, proof) -> {
          proof.members().forEach(member -> in(members, member).add(release));
          for (String method : methods) {
            String print = proof.bodies().getOrDefault(method, MethodPrints.ABSENT);
            in(bodies, method + " " + print).add(release);
          }
          proof.calls().forEach((call, result) -> in(calls, call + " " + result).add(release));
        });
    List<String> lines = new ArrayList<>();
    lines.add("releases " + String.join(" ", seen.keySet()));
    inherited.forEach(member -> lines.add("inherited " + member));
    members.forEach(
        (member, in) ->
            lines.add(
                "member " + member + (in.size() < seen.size() ? " " + String.join(" ", in) : "")));
    whole.forEach(each -> lines.add("body " + each));
    bodies.forEach((print, in) -> lines.add("body " + print + " " + String.join(" ", in)));
    calls.forEach((result, in) -> lines.add("call " + result + " " + String.join(" ", in)));
    return lines;
  }

  private static List<String> in(Map<String, List<String>> map, String key) {
    return map.computeIfAbsent(key, any -> new ArrayList<>());
  }

  /** Whether a class of the module gets by without a member. */
  boolean isOptional(String from, String member) {
    return optional.contains(from + " " + member);
  }
}
