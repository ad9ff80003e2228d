import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The test methods of one or two source trees; {@code .ci/tests} starts it. */
public final class Tests {
  private static final Set<String> TEST_ANNOTATIONS =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate");
  private static final Set<String> TYPES = Set.of("class", "interface", "enum", "record");
  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\\n]*|(?s:/\\*.*?\\*/)" // comments
              + "|(?s:\"\"\"[^\\\\]*?(?:\\\\.[^\\\\]*?)*?\"\"\")" // text blocks
              + "|\"[^\"\\\\\\n]*(?:\\\\.[^\"\\\\\\n]*)*\"|'[^'\\\\]*(?:\\\\.[^'\\\\]*)*'"
              + "|[\\p{L}_$][\\p{L}\\p{N}_$]*|\\S");
  private static final Pattern STRING = Pattern.compile("\"([^\"]*)\"");

  /** One line of the list. */
  private record Test(String module, String type, String method, Set<String> tags) {
    String key() {
      return type + "#" + method;
    }

    boolean isSlow() {
      return tags.contains("slow");
    }

    @Override
    public String toString() {
      return (module + " " + key() + " " + String.join(",", tags)).strip();
    }
  }

  /** A class of the test sources. */
  private static final class Type {
    final String module;
    final String name; // with the names of the classes around it
    final Type outer;
    final boolean isAbstract;
    final Set<String> tags = new TreeSet<>();
    final List<String> parents = new ArrayList<>();
    final Map<String, List<Set<String>>> methods = new LinkedHashMap<>(); // tags, by name

    Type(String module, String name, Type outer, boolean isAbstract) {
      this.module = module;
      this.name = name;
      this.outer = outer;
      this.isAbstract = isAbstract;
    }
  }

  /** One annotation with its arguments. */
  private record Annotation(String name, String arguments) {}

  /** Reads the types of one file, not those inside of methods. */
  private static final class Reader {
    private final String module;
    private final List<String> tokens = new ArrayList<>();
    private final List<Type> found = new ArrayList<>();
    private int at;

    Reader(String module, String text) {
      this.module = module;
      Matcher matcher = TOKEN.matcher(text);
      while (matcher.find()) {
        String token = matcher.group();
        if (!token.startsWith("//") && !token.startsWith("/*")) {
          tokens.add(token);
        }
      }
    }

    List<Type> read() {
      body(null);
      return found;
    }

    /** Members up to the brace that closes the type, or the end of the file. */
    private void body(Type type) {
      List<Annotation> annotations = new ArrayList<>();
      Set<String> modifiers = new LinkedHashSet<>();
      while (at < tokens.size()) {
        String token = tokens.get(at);
        if (token.equals("}")) {
          at++;
          return;
        } else if (token.equals("@") && !is(at + 1, "interface")) {
          annotations.add(annotation());
        } else if (isType()) {
          type(type, annotations, modifiers);
          annotations.clear();
          modifiers.clear();
        } else if (type != null && isWord(token) && is(at + 1, "(")) {
          method(type, token, annotations);
          annotations.clear();
          modifiers.clear();
        } else if (token.equals("=")) {
          skipTo(";");
        } else if (token.equals("{")) {
          skipBalanced();
        } else {
          if (token.equals(";")) {
            annotations.clear();
            modifiers.clear();
          }
          modifiers.add(token);
          at++;
        }
      }
    }

    private boolean is(int index, String token) {
      return index < tokens.size() && tokens.get(index).equals(token);
    }

    private static boolean isWord(String token) {
      return Character.isJavaIdentifierStart(token.charAt(0));
    }

    private boolean isType() {
      String token = tokens.get(at);
      if (!TYPES.contains(token) || at + 1 >= tokens.size() || !isWord(tokens.get(at + 1))) {
        return false;
      }
      return !token.equals("record") || is(at + 2, "(") || is(at + 2, "<");
    }

    private Annotation annotation() {
      at++;
      String name = tokens.get(at++);
      while (is(at, ".")) {
        name = tokens.get(at + 1);
        at += 2;
      }
      StringBuilder arguments = new StringBuilder();
      if (is(at, "(")) {
        int from = at;
        skipBalanced();
        tokens.subList(from, at).forEach(arguments::append);
      }
      return new Annotation(name, arguments.toString());
    }

    private void type(Type outer, List<Annotation> annotations, Set<String> modifiers) {
      boolean open = tokens.get(at).equals("interface") || modifiers.contains("abstract");
      String name = tokens.get(at + 1);
      at += 2;
      Type type = new Type(module, outer == null ? name : outer.name + "." + name, outer, open);
      type.tags.addAll(tags(annotations));
      boolean inherits = false;
      while (!is(at, "{")) {
        String token = tokens.get(at);
        if (token.equals("(") || token.equals("<")) {
          skipBalanced();
          continue;
        }
        if (token.equals("extends") || token.equals("implements")) {
          inherits = true;
        } else if (inherits && isWord(token)) {
          type.parents.add(token);
        }
        at++;
      }
      at++;
      found.add(type);
      body(type);
    }

    private void method(Type type, String name, List<Annotation> annotations) {
      at++;
      skipBalanced();
      while (at < tokens.size() && !is(at, "{") && !is(at, ";")) {
        at++;
      }
      if (is(at, "{")) {
        skipBalanced();
      }
      if (annotations.stream().anyMatch(a -> TEST_ANNOTATIONS.contains(a.name))) {
        type.methods.computeIfAbsent(name, n -> new ArrayList<>()).add(tags(annotations));
      }
    }

    /** What is disabled is as good as gone, so that is a tag as well. */
    private static Set<String> tags(List<Annotation> annotations) {
      Set<String> tags = new TreeSet<>();
      for (Annotation annotation : annotations) {
        if (annotation.name.equals("Tag") || annotation.name.equals("Tags")) {
          STRING.matcher(annotation.arguments).results().forEach(m -> tags.add(m.group(1)));
        } else if (annotation.name.equals("Disabled")) {
          tags.add("disabled");
        }
      }
      return tags;
    }

    private void skipTo(String wanted) {
      while (at < tokens.size() && !is(at, wanted)) {
        if (is(at, "(") || is(at, "{") || is(at, "[")) {
          skipBalanced();
        } else {
          at++;
        }
      }
    }

    /** From an opening bracket to behind the one that closes it. */
    private void skipBalanced() {
      String open = tokens.get(at);
      String close = open.equals("(") ? ")" : open.equals("{") ? "}" : open.equals("[") ? "]" : ">";
      int depth = 0;
      do {
        depth += is(at, open) ? 1 : is(at, close) ? -1 : 0;
        at++;
      } while (depth > 0 && at < tokens.size());
    }
  }

  private final List<Type> types = new ArrayList<>();
  private final Map<String, List<Type>> byName = new HashMap<>();

  private Tests(Path root) throws IOException {
    try (Stream<Path> modules = Files.find(root, 2, (path, file) -> file.isDirectory())) {
      for (Path module : modules.sorted().toList()) { // some are nested in others
        Path sources = module.resolve("src/test/java");
        if (Files.isDirectory(sources)) {
          read(root.relativize(module).toString(), sources);
        }
      }
    }
    for (Type type : types) {
      String simple = type.name.substring(type.name.lastIndexOf('.') + 1);
      byName.computeIfAbsent(simple, n -> new ArrayList<>()).add(type);
    }
  }

  private void read(String module, Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        types.addAll(new Reader(module, Files.readString(file)).read());
      }
    }
  }

  private List<Test> list() {
    List<Test> tests = new ArrayList<>();
    for (Type type : types) {
      Set<String> ofClass = tagsOf(type);
      type.methods.forEach(
          (name, all) -> {
            for (Set<String> own : all) {
              tests.add(new Test(type.module, type.name, name, union(ofClass, own)));
            }
          });
      if (!type.isAbstract) {
        for (Type ancestor : ancestors(type)) {
          if (!ancestor.methods.isEmpty()) {
            tests.add(new Test(type.module, type.name, "(" + ancestor.name + ")", ofClass));
          }
        }
      }
    }
    return tests;
  }

  /** Those of the class, of the classes around it and of those it extends. */
  private Set<String> tagsOf(Type type) {
    Set<String> tags = new TreeSet<>();
    for (Type each = type; each != null; each = each.outer) {
      tags.addAll(each.tags);
      ancestors(each).forEach(a -> tags.addAll(a.tags));
    }
    return tags;
  }

  private static Set<String> union(Collection<String> a, Collection<String> b) {
    Set<String> all = new TreeSet<>(a);
    all.addAll(b);
    return all;
  }

  /** The classes and interfaces of the test sources it inherits from. */
  private Set<Type> ancestors(Type type) {
    Set<Type> all = new LinkedHashSet<>();
    Deque<Type> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty()) {
      Type each = open.remove();
      for (String parent : each.parents) {
        List<Type> candidates = byName.getOrDefault(parent, List.of());
        candidates.stream()
            .filter(c -> c.module.equals(each.module))
            .findFirst()
            .or(() -> candidates.stream().findFirst())
            .filter(found -> found != type && all.add(found))
            .ifPresent(open::add);
      }
    }
    return all;
  }

  public static void main(String[] args) throws IOException {
    List<Test> first = new Tests(Path.of(args[0])).list();
    if (args.length == 1) {
      first.forEach(System.out::println);
      System.err.println(summary(first));
    } else {
      compare(first, new Tests(Path.of(args[1])).list());
    }
  }

  private static String summary(List<Test> tests) {
    List<Test> methods = tests.stream().filter(t -> !t.method.startsWith("(")).toList();
    return methods.size()
        + " test methods, "
        + methods.stream().filter(Test::isSlow).count()
        + " of them slow; "
        + (tests.size() - methods.size())
        + " times a class inherits tests";
  }

  private static void compare(List<Test> before, List<Test> after) {
    List<Test> old = new ArrayList<>(before);
    List<Test> now = new ArrayList<>(after);
    List<Test[]> same = match(old, now, t -> t.module + " " + t.key());
    same.addAll(match(old, now, Test::key));
    List<Test[]> moved = match(old, now, t -> t.method.startsWith("(") ? t.key() : t.method);
    same.addAll(moved);
    System.out.println("before: " + summary(before));
    System.out.println("now:    " + summary(after));
    print("went", old.stream().map(Test::toString).toList());
    print("moved to slow", pairs(same, p -> !p[0].isSlow() && p[1].isSlow()));
    print("no longer slow", pairs(same, p -> p[0].isSlow() && !p[1].isSlow()));
    print(
        "other tags",
        pairs(same, p -> p[0].isSlow() == p[1].isSlow() && !p[0].tags.equals(p[1].tags)));
    print("in another class", pairs(moved, p -> true));
    print("new", now.stream().map(Test::toString).toList());
  }

  private static List<String> pairs(List<Test[]> all, Predicate<Test[]> condition) {
    return all.stream().filter(condition).map(p -> p[0] + "  ->  " + p[1]).toList();
  }

  /** Takes out of both lists what has the same key as often in both. */
  private static List<Test[]> match(List<Test> old, List<Test> now, Function<Test, String> key) {
    Map<String, List<Test>> waiting = now.stream().collect(Collectors.groupingBy(key));
    List<Test[]> found = new ArrayList<>();
    for (Test each : List.copyOf(old)) {
      List<Test> candidates = waiting.getOrDefault(key.apply(each), List.of());
      if (!candidates.isEmpty()) {
        Test other = candidates.remove(0);
        found.add(new Test[] {each, other});
        old.remove(each);
        now.remove(other);
      }
    }
    return found;
  }

  private static void print(String title, List<String> lines) {
    System.out.println();
    System.out.println(title + ": " + lines.size());
    lines.stream().sorted().forEach(line -> System.out.println("  " + line));
  }
}
