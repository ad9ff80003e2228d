import io.evenkeel.common.proof.Audit;
import io.evenkeel.common.proof.ClassFiles;
import io.evenkeel.common.proof.MethodPrints;
import io.evenkeel.common.proof.Proof;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes what is audited of Hadoop releases; {@code .ci/audit} starts it. */
public final class AuditedReleases {
  private AuditedReleases() {}

  public static void main(String[] args) throws IOException {
    if (args[0].equals("--print")) {
      try (URLClassLoader loader = loader(args[1])) {
        System.out.print(new MethodPrints(new ClassFiles(loader)).text(args[2], args[3]));
      }
      return;
    }
    Path reliedOn = Path.of(args[1]);
    List<String> relied = Files.readAllLines(reliedOn);
    // Twice: a method that one release is asked for is looked for in all.
    Map<String, Proof> seen = seen(args, relied);
    List<String> all = new ArrayList<>(relied);
    seen.values().forEach(proof -> proof.bodies().keySet().forEach(each -> all.add("body " + each)));
    seen = seen(args, all);
    seen.forEach(
        (release, proof) ->
            proof.problems().stream()
                .filter(problem -> !problem.startsWith("method "))
                .filter(problem -> !problem.contains("class picocli."))
                .forEach(problem -> System.err.println(release + ": " + problem)));
    List<String> lines = new ArrayList<>();
    lines.add("# Written by .ci/audit; what is relied on, and why, stands in src/audit/relied-on.txt.");
    relied.stream()
        .filter(line -> line.matches("(optional|field|used) .*"))
        .forEach(lines::add);
    lines.addAll(Audit.lines(seen));
    Files.createDirectories(Path.of(args[2]).getParent());
    Files.write(Path.of(args[2]), lines);
    System.err.println(args[2] + ": " + seen.values().iterator().next().lookedAt());
  }

  private static Map<String, Proof> seen(String[] args, List<String> relied) throws IOException {
    Map<String, Proof> seen = new LinkedHashMap<>();
    Audit audit = Audit.read(new StringReader(String.join("\n", relied)));
    for (int i = 3; i < args.length; i++) {
      String[] release = args[i].split("=", 2);
      try (URLClassLoader loader = loader(release[1])) {
        seen.put(release[0], Proof.of(Path.of(args[0]), loader, audit));
      }
    }
    return seen;
  }

  private static URLClassLoader loader(String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String jar : classPath.split(File.pathSeparator)) {
      urls.add(new File(jar).toURI().toURL());
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }
}
