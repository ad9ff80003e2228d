import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Figures of the source tree, from the sources alone; {@code .ci/figures} starts it.
 *
 * <p>Code is every line of main Java that is not blank, a comment, an import or the package.
 *
 * <p>A class uses another when its code (not a comment, an import or a string) names it, by its
 * simple name as imported or of the same package, or by its full name. Nested classes count as the
 * class they are in, and only main code is looked at.
 *
 * <p>One that a single other class uses should be part of that one. It need not be where it has a
 * test of its own, is a command or an experiment, has a thread of its own, implements what another
 * package asks for, or where a comment says why it stands apart; the others are counted as open.
 */
public final class Figures {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^\\s*import\\s+(?:static\\s+)?([\\w.]+(?:\\.\\*)?)\\s*;");
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z_$][\\w$]*(?:\\s*\\.\\s*[A-Za-z_$][\\w$]*)*");
  private static final String ROW = "%-18s %6s %7s %5s %7s %7s %8s %9s %6s %5s%n";
  private static final Pattern IMPLEMENTS =
      Pattern.compile("\\bclass \\w+[^{]*?\\bimplements ([^{]+)\\{");
  private static final Pattern EXPLAINED =
      Pattern.compile(
          "(?m)^ ?/?\\*.*\\b([Aa]part|[Ss]eparate|thread of its own)\\b|^@Command\\b|\\binterface \\w+MXBean\\b"
              + "|\\bimplements Experiment\\b");

  /** One source file; its top-level class has its name. */
  private record Source(
      String module, String pack, String name, String code, int lines, boolean explained) {
    String fullName() {
      return pack + "." + name;
    }

    boolean isClass() {
      return !name.equals("package-info") && !name.equals("module-info");
    }
  }

  private final Path root;
  private final List<String> modules;
  private final List<Source> sources = new ArrayList<>();
  private final Map<String, Source> classes = new HashMap<>();
  private final Map<String, Set<String>> users = new TreeMap<>(); // by class
  private final Set<String> tests = new TreeSet<>(); // simple names
  private final Map<String, Set<String>> needs = new TreeMap<>(); // by package

  private Figures(Path root) throws IOException {
    this.root = root;
    this.modules = new ArrayList<>();
    for (String module : modules(root)) {
      modules.add(module);
      modules(root.resolve(module)).forEach(nested -> modules.add(module + "/" + nested));
    }
    for (String module : modules) {
      Path main = root.resolve(module).resolve("src/main/java");
      for (Path file : files(main, ".java")) {
        sources.add(read(module, file));
      }
      for (Path file : files(root.resolve(module).resolve("src/test/java"), ".java")) {
        tests.add(file.getFileName().toString().replace(".java", ""));
      }
    }
    for (Source source : sources) {
      if (source.isClass()) {
        classes.put(source.fullName(), source);
        users.put(source.fullName(), new TreeSet<>());
      }
    }
    sources.forEach(this::findUses);
  }

  public static void main(String[] args) throws IOException {
    List<String> rest = Arrays.asList(args).subList(1, args.length);
    if (!Set.of("--users").containsAll(rest)) {
      System.err.println("usage: .ci/figures [--users]");
      System.exit(64);
    }
    Figures figures = new Figures(Path.of(args[0]));
    figures.print();
    if (!rest.isEmpty()) {
      figures.printUsers();
    }
  }

  private static List<String> modules(Path directory) throws IOException {
    Path pom = directory.resolve("pom.xml");
    return matches(MODULE, withoutXmlComments(Files.readString(pom)));
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(p -> p.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static List<String> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(m -> m.group(1)).toList();
  }

  private static String withoutXmlComments(String text) {
    return text.replaceAll("(?s)<!--.*?-->", "");
  }

  private static Source read(String module, Path file) throws IOException {
    String code = withoutComments(Files.readString(file), false);
    Matcher pack = PACKAGE.matcher(code);
    String name = file.getFileName().toString().replace(".java", "");
    int lines = 0;
    for (String line : code.split("\n")) {
      lines += counts(line.strip()) ? 1 : 0;
    }
    String names = withoutComments(Files.readString(file), true);
    boolean explained = EXPLAINED.matcher(Files.readString(file)).find();
    return new Source(module, pack.find() ? pack.group(1) : "", name, names, lines, explained);
  }

  private static boolean counts(String line) {
    return !line.isEmpty() && !line.startsWith("import ") && !line.startsWith("package ");
  }

  /** The code with its line breaks; strings and characters empty where asked for. */
  private static String withoutComments(String text, boolean emptyStrings) {
    StringBuilder code = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      int end;
      boolean literal = false;
      if (text.startsWith("//", at)) {
        int line = text.indexOf('\n', at);
        end = line < 0 ? text.length() : line;
      } else if (text.startsWith("/*", at)) {
        int close = text.indexOf("*/", at + 2);
        end = close < 0 ? text.length() : close + 2;
        // What follows a comment is another word; the lines stay.
        code.append(" ").append("\n".repeat(count(text.substring(at, end), '\n')));
      } else if (text.startsWith("\"\"\"", at)) {
        end = closing(text, at + 3, "\"\"\"");
        literal = true;
      } else if (text.charAt(at) == '"' || text.charAt(at) == '\'') {
        end = closing(text, at + 1, text.substring(at, at + 1));
        literal = true;
      } else {
        code.append(text.charAt(at));
        end = at + 1;
      }
      if (literal) {
        code.append(emptyStrings ? "\"\"" : text.substring(at, end));
      }
      at = end;
    }
    return code.toString();
  }

  private static int count(String text, char wanted) {
    return (int) text.chars().filter(c -> c == wanted).count();
  }

  /** Where a literal ends. */
  private static int closing(String text, int from, String quote) {
    for (int at = from; at < text.length(); at++) {
      if (text.charAt(at) == '\\') {
        at++;
      } else if (text.startsWith(quote, at)) {
        return at + quote.length();
      }
    }
    return text.length();
  }

  private void findUses(Source source) {
    Map<String, String> known = new HashMap<>(); // full name by simple name
    String code = source.code;
    for (Source other : sources) {
      if (other.isClass() && other.pack.equals(source.pack)) {
        known.put(other.name, other.fullName());
      }
    }
    for (String imported : matches(IMPORT, code)) {
      String target = topLevel(imported);
      if (target != null) {
        known.put(imported.substring(imported.lastIndexOf('.') + 1), target);
      }
    }
    String body = IMPORT.matcher(PACKAGE.matcher(code).replaceAll("")).replaceAll("");
    Matcher names = NAME.matcher(body);
    while (names.find()) {
      String name = names.group().replaceAll("\\s", "");
      String target = topLevel(name);
      if (target == null && !precededByDot(body, names.start())) {
        target = known.get(name.contains(".") ? name.substring(0, name.indexOf('.')) : name);
      }
      if (target != null) {
        use(source, classes.get(target));
      }
    }
  }

  /** After {@code ).} or {@code ].} a name is that of a member. */
  private static boolean precededByDot(String text, int at) {
    int before = at - 1;
    while (before >= 0 && Character.isWhitespace(text.charAt(before))) {
      before--;
    }
    return before >= 0 && text.charAt(before) == '.';
  }

  /** The class of the tree a full name stands for or begins with; null for another one. */
  private String topLevel(String fullName) {
    String name = fullName;
    while (name.contains(".")) {
      if (classes.containsKey(name)) {
        return name;
      }
      name = name.substring(0, name.lastIndexOf('.'));
    }
    return null;
  }

  private void use(Source user, Source used) {
    if (user == used) {
      return;
    }
    if (user.isClass()) {
      users.get(used.fullName()).add(user.fullName());
    }
    if (!user.pack.equals(used.pack)) {
      needs.computeIfAbsent(user.pack, p -> new TreeSet<>()).add(used.pack);
    }
  }

  private void print() throws IOException {
    Map<String, Integer> keys = keys();
    Map<String, Integer> words = words();
    Map<String, Set<String>> cycles = cycles();
    System.out.printf(
        ROW, "module", "files", "code", "keys", "words", "cycles", "classes", "one user", "share", "open");
    List<String> rows = new ArrayList<>(modules);
    if (words.containsKey("")) {
      rows.add("");
    }
    rows.add(null);
    for (String row : rows) {
      List<Source> of = sources.stream().filter(s -> row == null || s.module.equals(row)).toList();
      long count = of.stream().filter(Source::isClass).count();
      long one =
          of.stream().filter(s -> s.isClass() && users.get(s.fullName()).size() == 1).count();
      boolean other = row != null && row.isEmpty();
      System.out.printf(
          ROW,
          row == null ? "all" : other ? "(docs of all)" : row,
          of.size(),
          of.stream().mapToInt(Source::lines).sum(),
          sum(keys, row),
          sum(words, row),
          cycles.entrySet().stream()
              .filter(e -> row == null || e.getKey().equals(row))
              .mapToInt(e -> e.getValue().size())
              .sum(),
          count,
          one,
          count == 0 ? "-" : Math.round(100.0 * one / count) + " %",
          of.stream().filter(this::isOpen).count());
    }
    cycles.forEach((module, pairs) -> pairs.forEach(p -> System.out.println(module + ": " + p)));
  }

  /** Whether nothing says why it is no part of its only user. */
  private boolean isOpen(Source source) {
    return source.isClass()
        && users.get(source.fullName()).size() == 1
        && !source.explained
        && !isEdge(source)
        && !tests.contains(source.name + "Test")
        && !tests.contains(source.name + "IT");
  }

  /** Whether it implements an interface of another package of the tree. */
  private boolean isEdge(Source source) {
    Matcher edges = IMPLEMENTS.matcher(source.code);
    return edges.find()
        && Stream.of(edges.group(1).replaceAll("<.*?>", "").split(","))
            .map(name -> "." + name.strip())
            .anyMatch(
                name ->
                    classes.values().stream()
                        .filter(other -> !other.pack.equals(source.pack))
                        .filter(other -> other.fullName().endsWith(name))
                        .anyMatch(o -> users.get(o.fullName()).contains(source.fullName())));
  }

  private static int sum(Map<String, Integer> counts, String row) {
    return row == null
        ? counts.values().stream().mapToInt(Integer::intValue).sum()
        : counts.getOrDefault(row, 0);
  }

  /** Rows of the tables in docs/configuration.md, which a test compares with the code. */
  private Map<String, Integer> keys() throws IOException {
    Map<String, Integer> keys = new HashMap<>();
    String section = "";
    for (String line : Files.readAllLines(root.resolve("docs/configuration.md"))) {
      if (line.startsWith("#")) {
        section = line.replaceFirst("^#+\\s*", "");
      } else if (line.startsWith("| `evenkeel.")) {
        keys.merge(modules.contains(section) ? section : "", 1, Integer::sum);
      }
    }
    return keys;
  }

  /** Of README.md and docs, by the module whose first word a file's name begins with. */
  private Map<String, Integer> words() throws IOException {
    Map<String, Integer> words = new HashMap<>();
    List<Path> texts = new ArrayList<>(files(root.resolve("docs"), ".md"));
    texts.add(root.resolve("README.md"));
    for (Path text : texts) {
      String name = text.getFileName().toString();
      String owner =
          modules.stream()
              .filter(m -> name.matches(m.replaceFirst("-.*", "") + "([-.].*)"))
              .findFirst()
              .orElse("");
      words.merge(owner, Files.readString(text).strip().split("\\s+").length, Integer::sum);
    }
    return words;
  }

  /** Pairs of packages that need each other, by the module of the first. */
  private Map<String, Set<String>> cycles() {
    Map<String, String> moduleOf =
        sources.stream().collect(Collectors.toMap(Source::pack, Source::module, (a, b) -> a));
    Map<String, Set<String>> cycles = new TreeMap<>();
    needs.forEach(
        (pack, others) -> {
          for (String other : others) {
            if (pack.compareTo(other) < 0 && needs.getOrDefault(other, Set.of()).contains(pack)) {
              cycles
                  .computeIfAbsent(moduleOf.get(pack), m -> new TreeSet<>())
                  .add(pack + " <-> " + other);
            }
          }
        });
    return cycles;
  }

  private void printUsers() {
    users.forEach(
        (used, by) -> {
          if (by.size() == 1) {
            String open = isOpen(classes.get(used)) ? "" : ", with a reason";
            System.out.println(used + " only by " + by.iterator().next() + open);
          }
        });
  }
}
