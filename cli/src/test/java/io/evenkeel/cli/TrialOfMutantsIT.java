package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.check.ClassPath;
import io.evenkeel.cli.check.TrialRun;
import io.evenkeel.cli.check.core.Module;
import io.evenkeel.common.proof.Audit;
import io.evenkeel.common.proof.Mutants;
import io.evenkeel.common.proof.Mutants.Kind;
import io.evenkeel.common.proof.Mutants.Mutant;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How many changes of Hadoop each packaged jar names at start, and how many of those that change
 * what a method does a trial finds. The second is reported, not required: {@code
 * target/mutants.txt} has a row of the table in decision 0022 for each kind. {@code
 * -Devenkeel.mutants=N} draws N of each kind.
 */
@Tag("slow")
class TrialOfMutantsIT {
  private static final int OF_EACH = Integer.getInteger("evenkeel.mutants", 3);
  private static final List<Kind> OF_BODIES = List.of(Kind.CONDITION, Kind.CALL, Kind.LOCK);

  @TempDir private Path dir;

  @ParameterizedTest
  @EnumSource(Module.class)
  void mutants_ofWhatAModuleReliesOn_areAllNamedAtStart(Module module) throws Exception {
    String name = module.artifact() + "-" + System.getProperty("evenkeel.version") + ".jar";
    Path root = Path.of(System.getProperty("evenkeel.root"));
    Path jar = root.resolve(module.artifact().replace("evenkeel-", "")).resolve("target/" + name);
    List<String> rows = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Path classes = Files.createDirectory(dir.resolve(kind.name()));
      Mutants mutants =
          new Mutants(jar, getClass().getClassLoader(), audit(jar), classes, kind.ordinal());
      List<Mutant> drawn = mutants.draw(kind, OF_EACH);
      int found = 0;
      for (Mutant mutant : drawn) {
        assertThat(mutants.problems(mutant)).anyMatch(each -> each.contains(mutant.named()));
        found += OF_BODIES.contains(kind) && !passes(module, jar, mutant) ? 1 : 0;
      }
      rows.add(row(module, kind, drawn.size(), OF_BODIES.contains(kind) ? "" + found : "-"));
    }
    Path table = Files.createDirectories(root.resolve("cli/target")).resolve("mutants.txt");
    Files.write(table, rows, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String row(Module module, Kind kind, int drawn, String found) {
    String named = module.name().toLowerCase(Locale.ROOT);
    return String.format("| %s | %s | %d | %d | %s |", named, kind, drawn, drawn, found);
  }

  /** Whether the module's scenario passes with the changed class before Hadoop's. */
  private boolean passes(Module module, Path jar, Mutant mutant) throws Exception {
    Path changed = Files.createTempDirectory(dir, "changed");
    Path file = changed.resolve(mutant.type() + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, mutant.bytes());
    List<File> entries = new ArrayList<>(List.of(changed.toFile(), jar.toFile()));
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("evenkeel") && !entry.contains("/target/"))
        .forEach(entry -> entries.add(new File(entry)));
    ClassPath path = new ClassPath(entries, dir.resolve("no-lib").toFile());
    TrialRun trial = new TrialRun(path, new File(System.getProperty("java.home")), dir);
    try {
      return trial.run(module, true, line -> {}).stream().allMatch(TrialRun.Step::isOk);
    } finally {
      trial.clear();
    }
  }

  private static Audit audit(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      String name =
          file.stream()
              .map(entry -> entry.getName())
              .filter(entry -> entry.endsWith("/audited.txt"))
              .findFirst()
              .orElseThrow();
      return Audit.read(
          new InputStreamReader(file.getInputStream(file.getEntry(name)), StandardCharsets.UTF_8));
    }
  }
}
