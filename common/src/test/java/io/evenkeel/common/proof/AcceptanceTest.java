package io.evenkeel.common.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Compiled;
import java.io.IOException;
import java.io.StringReader;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plugin that relies on a method of a library, and a vendor who changed it. */
class AcceptanceTest {
  private static final String READ =
      "package lib; public class Base { public int limit() { return 1; } }";
  private static final String PLUGIN =
      "package app; public class Plugin extends lib.Base { int twice() { return 2 * limit(); } }";
  private static final String CHANGED = READ.replace("return 1", "return 3");

  @TempDir Path temp;

  @BeforeEach
  void createJar() throws IOException {
    Files.createFile(temp.resolve("plugin.jar"));
  }

  private Proof against(String library, String plugin) throws IOException {
    Path read = Compiled.into(temp.resolve("read"), temp, Map.of("lib.Base", READ));
    Path app = Compiled.into(temp.resolve("app"), read, Map.of("app.Plugin", plugin));
    Audit audit;
    try (URLClassLoader loader = Compiled.loader(read)) {
      Audit relied = Audit.read(new StringReader("body lib/Base limit"));
      Map<String, Proof> seen = Map.of("1", Proof.of(app, loader, relied));
      audit = Audit.read(new StringReader(String.join("\n", Audit.lines(seen))));
    }
    Path theirs = Compiled.into(temp.resolve("theirs"), temp, Map.of("lib.Base", library));
    try (URLClassLoader loader = Compiled.loader(theirs)) {
      return Proof.of(app, loader, audit);
    }
  }

  private Acceptance written(List<String> lines) throws IOException {
    Files.write(temp.resolve("evenkeel-accepted-test.txt"), lines);
    return Acceptance.beside(temp.resolve("plugin.jar"), "test");
  }

  @Test
  void problems_noFile_areThoseOfTheProof() throws IOException {
    Acceptance none = Acceptance.beside(temp.resolve("plugin.jar"), "test");
    assertThat(none.problems(against(CHANGED, PLUGIN)))
        .containsExactly("method lib.Base.limit differs from all releases that were read");
    assertThat(none.summary()).isEmpty();
  }

  @Test
  void problems_bodyAndMemberThatWereTried_areAccepted() throws IOException {
    String more = CHANGED.replace("} }", "} protected void vendors() {} }");
    Proof proof = against(more, PLUGIN);
    assertThat(proof.problems()).hasSize(2);
    Acceptance accepted = written(Acceptance.lines(proof));
    assertThat(accepted.problems(proof)).isEmpty();
    assertThat(accepted.summary())
        .isEqualTo(", 2 differences accepted by evenkeel-accepted-test.txt");
  }

  @Test
  void problems_libraryIsAnotherOneSince_nothingIsAccepted() throws IOException {
    List<String> lines = Acceptance.lines(against(CHANGED, PLUGIN));
    Proof later = against(CHANGED.replace("return 3", "return 4"), PLUGIN);
    assertThat(written(lines).problems(later))
        .containsExactly(
            "evenkeel-accepted-test.txt does not hold: lib/Base.class is not the one that was tried",
            "method lib.Base.limit differs from all releases that were read");
  }

  @Test
  void problems_moduleIsAnotherOneSince_nothingIsAccepted() throws IOException {
    List<String> lines = Acceptance.lines(against(CHANGED, PLUGIN));
    Proof later = against(CHANGED, PLUGIN.replace("2 *", "3 *"));
    assertThat(written(lines).problems(later))
        .hasSize(2)
        .first()
        .asString()
        .contains("this version of the module is not the one that was tried");
  }

  @Test
  void problems_somethingIsMissing_cannotBeAccepted() throws IOException {
    Proof broken = against(CHANGED.replace("int limit", "long limit"), PLUGIN);
    assertThat(broken.broken()).isNotEmpty();
    assertThat(written(Acceptance.lines(broken)).problems(broken)).isEqualTo(broken.broken());
  }

  @Test
  void problems_anEntryIsTakenOut_thatOneIsNamed() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    List<String> lines = Acceptance.lines(proof);
    assertThat(lines.removeIf(line -> line.startsWith("body "))).isTrue();
    assertThat(written(lines).problems(proof)).isEqualTo(proof.problems());
  }

  @Test
  void beside_aFileThatIsNotAsDescribed_saysWhichLine() {
    assertThatThrownBy(() -> written(List.of("# by hand", "everything")))
        .isInstanceOf(IOException.class)
        .hasMessage("evenkeel-accepted-test.txt: not understood: 'everything'");
  }
}
