package io.evenkeel.common.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Compiled;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.StringReader;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private static final String DIFFERS =
      "method lib.Base.limit differs from all releases that were read";

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

  /** What is accepted by a file with these lines; by none without lines. */
  private Acceptance with(List<String> lines, Proof proof) throws IOException {
    if (lines != null) {
      Files.write(temp.resolve("evenkeel-accepted-test.txt"), lines);
    }
    return Acceptance.of(proof, temp.resolve("plugin.jar"), "test");
  }

  private static String stale(String why) {
    return "evenkeel-accepted-test.txt does not hold (run 'evenkeel prove --run' again): " + why;
  }

  @Test
  void problems_noFile_areThoseOfTheProof() throws IOException {
    Acceptance none = with(null, against(CHANGED, PLUGIN));
    assertThat(none.problems()).containsExactly(DIFFERS);
    assertThat(none.summary()).isEmpty();
  }

  @Test
  void problems_bodyAndMemberThatWereTried_areAccepted() throws IOException {
    String more = CHANGED.replace("} }", "} protected void vendors() {} }");
    Proof proof = against(more, PLUGIN);
    assertThat(proof.problems()).hasSize(2);
    Acceptance accepted = with(Acceptance.lines(proof), proof);
    assertThat(accepted.problems()).isEmpty();
    assertThat(accepted.summary())
        .isEqualTo(", 2 differences accepted by evenkeel-accepted-test.txt");
  }

  @Test
  void problems_jarIsALink_theFileBesideItsTargetCounts() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    Path link = Files.createDirectory(temp.resolve("links")).resolve("plugin.jar");
    Files.createSymbolicLink(link, temp.resolve("plugin.jar"));
    assertThat(Acceptance.fileOf(link, "test"))
        .isEqualTo(temp.toRealPath().resolve("evenkeel-accepted-test.txt"));
    Files.write(Acceptance.fileOf(link, "test"), Acceptance.lines(proof));
    assertThat(Acceptance.of(proof, link, "test").problems()).isEmpty();
  }

  @Test
  void problems_libraryIsAnotherOneSince_nothingIsAccepted() throws IOException {
    List<String> lines = Acceptance.lines(against(CHANGED, PLUGIN));
    Proof later = against(CHANGED.replace("return 3", "return 4"), PLUGIN);
    assertThat(with(lines, later).problems())
        .containsExactly(stale("lib/Base.class has changed since the trial"), DIFFERS);
    assertThat(with(lines, later).summary()).isEmpty();
  }

  @Test
  void problems_aFileCameSince_nothingIsAccepted() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    List<String> lines = Acceptance.lines(proof);
    lines.removeIf(line -> line.startsWith("file "));
    assertThat(with(lines, proof).problems())
        .first()
        .isEqualTo(stale("lib/Base.class was not there at the trial"));
  }

  @Test
  void problems_aFileHasAnotherNameSince_isAccepted() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    List<String> lines = Acceptance.lines(proof);
    lines.replaceAll(line -> line.replace("lib/Base.class", "base-1.jar"));
    assertThat(with(lines, proof).problems()).isEmpty();
  }

  @Test
  void problems_moduleIsAnotherOneSince_nothingIsAccepted() throws IOException {
    List<String> lines = Acceptance.lines(against(CHANGED, PLUGIN));
    Proof later = against(CHANGED, PLUGIN.replace("2 *", "3 *"));
    assertThat(with(lines, later).problems())
        .containsExactly(stale("another version of the module was tried"), DIFFERS);
  }

  @Test
  void problems_somethingIsMissing_cannotBeAccepted() throws IOException {
    Proof broken = against(CHANGED.replace("int limit", "long limit"), PLUGIN);
    assertThat(broken.broken()).isNotEmpty();
    assertThat(with(Acceptance.lines(broken), broken).problems()).isEqualTo(broken.broken());
  }

  @Test
  void problems_anEntryIsTakenOut_thatOneIsNamed() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    List<String> lines = Acceptance.lines(proof);
    assertThat(lines.removeIf(line -> line.startsWith("body "))).isTrue();
    assertThat(with(lines, proof).problems()).isEqualTo(proof.problems());
  }

  @Test
  void problems_aFileThatIsNotAsDescribed_saysSoAndAcceptsNothing() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    assertThat(with(List.of("# by hand", "everything"), proof).problems())
        .containsExactly(stale("not understood: 'everything'"), DIFFERS);
    assertThat(with(List.of(), proof).problems())
        .containsExactly(stale("it does not say of which version of the module it is"), DIFFERS);
  }

  @Test
  void problems_everythingFits_theFileIsNotRead() throws IOException {
    Acceptance accepted = with(List.of("everything"), against(READ, PLUGIN));
    assertThat(accepted.problems()).isEmpty();
    assertThat(accepted.summary()).isEmpty();
  }

  @Test
  void problems_filesOfTwoTrialsInOne_acceptNothing() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    List<String> lines = new ArrayList<>(Acceptance.lines(proof));
    lines.addAll(Acceptance.lines(proof));
    assertThat(with(lines, proof).problems())
        .containsExactly(stale("it is of more than one trial"), DIFFERS);
  }

  /** Whatever stands there, a daemon does not run out of memory over it. */
  @Test
  void problems_fileThatIsTooLarge_isNotRead() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    Path file = temp.resolve("evenkeel-accepted-test.txt");
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(3L << 30);
    }
    assertThat(with(null, proof).problems())
        .containsExactly(stale("it has more than 1000000 bytes"), DIFFERS);
  }

  @Test
  void problems_fileThatCannotBeUsed_saysWhy() throws IOException {
    Proof proof = against(CHANGED, PLUGIN);
    Path file = temp.resolve("evenkeel-accepted-test.txt");
    Files.write(file, new byte[] {'#', (byte) 0xe4, '\n'});
    assertThat(with(null, proof).problems()).containsExactly(stale("it is not UTF-8"), DIFFERS);
    Files.delete(file);
    Files.createSymbolicLink(file, temp.resolve("gone"));
    assertThat(with(null, proof).problems())
        .containsExactly(stale("it is a link to nothing"), DIFFERS);
  }

  /** A trial says nothing of another jar, also where the difference is not in it. */
  @Test
  void lines_whatIsOnlyReferredTo_isNamedAsWell() throws IOException {
    String other = PLUGIN.replace("int twice", "Object other = new lib.Other(); int twice");
    Path read =
        Compiled.into(
            temp.resolve("both"),
            temp,
            Map.of("lib.Base", CHANGED, "lib.Other", "package lib; public class Other {}"));
    Path app = Compiled.into(temp.resolve("app2"), read, Map.of("app.Plugin", other));
    try (URLClassLoader loader = Compiled.loader(read)) {
      Audit relied = Audit.read(new StringReader("body lib/Base limit"));
      assertThat(Acceptance.lines(Proof.of(app, loader, relied)))
          .anyMatch(line -> line.startsWith("file lib/Base.class "))
          .anyMatch(line -> line.startsWith("file lib/Other.class "));
    }
  }
}
