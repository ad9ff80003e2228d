package io.evenkeel.common.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Compiled;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles a plugin against one release of a library and links it against a changed one. */
class ProofTest {
  private static final String BASE =
      "package lib; public class Base<T> { protected static int limit = 1; public T kept;"
          + " public Base<T> self() { return this; } public static int size(String[] s) { return"
          + " 0; } protected void hook() {} }";
  private static final String SPI =
      "package lib; public interface Spi { int choose(long size); default void close() {} }";
  private static final String EXTRA = "package lib; public class Extra extends RuntimeException {}";
  private static final String PLUGIN =
      "package app; import lib.*; public class Plugin extends Base<String> implements Spi {"
          + " public int choose(long size) { kept = \"x\"; return limit + size(new String[0]); }"
          + " @Override protected void hook() { self(); close(); }"
          + " public Object lambda() { java.util.function.Supplier<Base<String>> s = this::self;"
          + " return s; }"
          + " public void guarded() { try { hook(); } catch (Extra e) { hook(); } } }";

  @TempDir Path temp;
  private String reliedOn = "";
  private Path app;
  private Map<String, String> library;

  @BeforeEach
  void compilePlugin() throws IOException {
    library = new HashMap<>(Map.of("lib.Base", BASE, "lib.Spi", SPI, "lib.Extra", EXTRA));
    Path compiledAgainst = Compiled.into(temp.resolve("v1"), temp, library);
    app = Compiled.into(temp.resolve("app"), compiledAgainst, Map.of("app.Plugin", PLUGIN));
  }

  /** The audit is of the library the plugin was compiled against. */
  private Proof linkAgainstLibrary() throws IOException {
    Audit audit;
    try (URLClassLoader read = Compiled.loader(temp.resolve("v1"))) {
      Audit relied = Audit.read(new StringReader(reliedOn));
      Map<String, Proof> seen = Map.of("1", Proof.of(app, read, relied));
      audit = Audit.read(new StringReader(String.join("\n", Audit.lines(seen))));
    }
    try (URLClassLoader loader = changedLibrary()) {
      return Proof.of(app, loader, audit);
    }
  }

  private URLClassLoader changedLibrary() throws IOException {
    return Compiled.loader(Compiled.into(temp.resolve("v2"), temp, library));
  }

  private void change(String className, String from, String to) {
    String text = library.get(className);
    assertThat(text).contains(from);
    library.put(className, text.replace(from, to));
  }

  @Test
  void check_sameLibrary_linksAndCountsReferences() throws IOException {
    Proof report = linkAgainstLibrary();
    assertThat(report.problems()).isEmpty();
    assertThat(report.links()).isGreaterThan(8);
  }

  @Test
  void check_missingClass_isReported() throws IOException {
    library.remove("lib.Extra"); // named only in an exception table
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: class lib.Extra is missing");
  }

  @Test
  void check_missingMethod_isReportedThroughTheInheritingOwner() throws IOException {
    change("lib.Base", "size(String[] s)", "size(String s)");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: method int app.Plugin.size(String[]) is missing");
  }

  @Test
  void check_methodOfAMethodReferenceMissing_isReported() throws IOException {
    change("lib.Base", "Base<T> self()", "Base<T> me()");
    assertThat(linkAgainstLibrary().problems())
        .contains("app.Plugin: method Base lib.Base.self() is missing");
  }

  @Test
  void check_missingField_isReported() throws IOException {
    change("lib.Base", "public T kept", "public int kept");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: field Object app.Plugin.kept is missing");
  }

  @Test
  void check_staticFieldNowOfAnInstance_isReported() throws IOException {
    change("lib.Base", "static int limit", "int limit");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: field int app.Plugin.limit is no longer static");
  }

  @Test
  void check_fieldNoLongerAccessible_isReported() throws IOException {
    change("lib.Base", "protected static int limit", "static int limit");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: field int app.Plugin.limit is not accessible");
  }

  @Test
  void check_publicMethodNowProtected_isReportedOutsideSubclasses() throws IOException {
    String user =
        "package app; public class User { Object use(lib.Base<String> b) { return b.self(); } }";
    Path compiledAgainst = temp.resolve("v1");
    app = Compiled.into(temp.resolve("user"), compiledAgainst, Map.of("app.User", user));
    change("lib.Base", "public Base<T> self()", "protected Base<T> self()");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.User: method Base lib.Base.self() is not accessible");
  }

  @Test
  void check_methodOfALambdaBodyMissing_isReported() throws IOException {
    String user =
        "package app; public class User { Runnable later(lib.Base<String> b) {"
            + " return () -> b.self(); } }";
    app = Compiled.into(temp.resolve("user"), temp.resolve("v1"), Map.of("app.User", user));
    change("lib.Base", "Base<T> self()", "Base<T> me()");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.User: method Base lib.Base.self() is missing");
  }

  @Test
  void check_constructorReferenceMissing_isReported() throws IOException {
    String user =
        "package app; public class User { java.util.function.Supplier<Object> make() {"
            + " return lib.Extra::new; } }";
    app = Compiled.into(temp.resolve("user"), temp.resolve("v1"), Map.of("app.User", user));
    change("lib.Extra", "RuntimeException {}", "RuntimeException { public Extra(int i) {} }");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.User: method lib.Extra.<init>() is missing");
  }

  @Test
  void check_returnTypeOfABridgedMethodChanged_isReported() throws IOException {
    library.put("lib.Maker", "package lib; public interface Maker<T> { T make(); }");
    Path withMaker = Compiled.into(temp.resolve("v1"), temp, library);
    String user =
        "package app; public class User implements lib.Maker<String> {"
            + " public String make() { return \"\"; } }";
    app = Compiled.into(temp.resolve("user"), withMaker, Map.of("app.User", user));
    assertThat(linkAgainstLibrary().problems()).isEmpty();
    change("lib.Maker", "interface Maker<T>", "interface Maker<T extends Number>");
    assertThat(linkAgainstLibrary().problems())
        .contains("app.User: does not implement Number lib.Maker.make()");
  }

  @Test
  void check_newMethodThatCanBeOverridden_isReported() throws IOException {
    change("lib.Base", "protected void hook() {}", "protected void hook() {} void more() {}");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("method void lib.Base.more() is not known");
  }

  @Test
  void check_overriddenMethodIsGone_isReported() throws IOException {
    change("lib.Base", "protected void hook() {}", "protected void hook(int i) {}");
    assertThat(linkAgainstLibrary().problems())
        .contains("app.Plugin: method void lib.Base.hook() is missing, which it overrides");
  }

  @Test
  void check_methodIsGoneAndAParentHasIt_isReported() throws IOException {
    library.put("lib.Top", "package lib; public class Top { public Object same() { return 1; } }");
    library.put(
        "lib.Low",
        "package lib; public class Low extends Top { public Object same() { return 2; } }");
    Path compiledAgainst = Compiled.into(temp.resolve("v1"), temp, library);
    String user =
        "package app; public class User { Object use(lib.Low low) { return low.same(); } }";
    app = Compiled.into(temp.resolve("user"), compiledAgainst, Map.of("app.User", user));
    assertThat(linkAgainstLibrary().problems()).isEmpty();
    change("lib.Low", "public Object same() { return 2; }", "");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("method Object lib.Low.same() is missing; lib.Top has one");
  }

  @Test
  void check_bodyThatIsReliedOn_isReportedWhenItDiffersOrIsGone() throws IOException {
    reliedOn = "body lib/Base *";
    assertThat(linkAgainstLibrary().problems()).isEmpty();
    change("lib.Base", "return 0;", "return 1;");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("method lib.Base.size differs from all releases that were read");
    change("lib.Base", "protected void hook() {}", "");
    assertThat(linkAgainstLibrary().problems()).contains("method lib.Base.hook is missing");
  }

  @Test
  void check_newMethodOfAClassThatIsReliedOnWhole_isReported() throws IOException {
    library.put("lib.Other", "package lib; public class Other { int a() { return 1; } }");
    Compiled.into(temp.resolve("v1"), temp, library);
    reliedOn = "body lib/Other *";
    assertThat(linkAgainstLibrary().problems()).isEmpty();
    change("lib.Other", "int a()", "public int hashCode() { return 2; } int a()");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("method lib.Other.hashCode is in none of the releases that were read");
  }

  @Test
  void check_newAbstractMethod_isReported() throws IOException {
    change("lib.Spi", "int choose(long size);", "int choose(long size); int choose(int size);");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly(
            "app.Plugin: does not implement int lib.Spi.choose(int)",
            "method int lib.Spi.choose(int) is not known");
    assertThat(linkAgainstLibrary().unimplemented()).containsExactly("app.Plugin");
  }

  @Test
  void check_defaultMethodNowAbstract_isReported() throws IOException {
    change("lib.Spi", "default void close() {}", "void close();");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: does not implement void lib.Spi.close()");
  }

  @Test
  void check_overriddenMethodNowFinal_isReported() throws IOException {
    change("lib.Base", "protected void hook()", "protected final void hook()");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: overrides final void lib.Base.hook()");
  }

  @Test
  void check_superClassNowFinal_isReported() throws IOException {
    change("lib.Base", "public class Base", "public final class Base");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: super class lib.Base is final or an interface");
  }

  @Test
  void check_interfaceNowAClass_isReported() throws IOException {
    library.put("lib.Spi", "package lib; public class Spi { public void close() {} }");
    assertThat(linkAgainstLibrary().problems())
        .contains("app.Plugin: lib.Spi is no longer an interface");
  }

  @Test
  void check_jar_isReadLikeAFolder() throws IOException {
    Path jar = temp.resolve("plugin.jar");
    URI uri = URI.create("jar:" + jar.toUri());
    try (FileSystem zip = FileSystems.newFileSystem(uri, Map.of("create", "true"))) {
      Files.createDirectory(zip.getPath("/app"));
      Files.copy(app.resolve("app/Plugin.class"), zip.getPath("/app/Plugin.class"));
    }
    library.remove("lib.Extra");
    app = jar;
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("app.Plugin: class lib.Extra is missing");
  }

  @Test
  void callReturnsSomethingElse_isBroken() throws IOException {
    reliedOn = "call lib/Pure next(long:41)\ncall lib/Pure$Kind.BIG isLarge()";
    String pure =
        "package lib; public class Pure { public enum Kind { BIG; public boolean isLarge() { return"
            + " true; } } public static long next(long i) { return Other.step(i); } }";
    String other =
        "package lib; public class Other { static long step(long i) { return i + %s; } }";
    library.put("lib.Pure", pure);
    library.put("lib.Other", String.format(other, 1));
    Compiled.into(temp.resolve("v1"), temp, library);

    assertThat(linkAgainstLibrary().problems()).isEmpty();

    library.put("lib.Other", String.format(other, 2));
    assertThat(linkAgainstLibrary().broken())
        .containsExactly(
            "method lib.Pure.next(long:41) returns 43 as in none of the releases read");

    library.put("lib.Other", String.format(other, 1));
    library.put(
        "lib.Pure",
        pure.replace(
            "} public static", "} public static int next(int i) { return 0; } public static"));
    assertThat(linkAgainstLibrary().problems()).isEmpty(); // another of that name

    library.put("lib.Pure", pure.replace("next(long i)", "next(long i, int more)"));
    assertThat(linkAgainstLibrary().broken())
        .containsExactly("method lib.Pure.next(long:41) is missing");
  }

  @Test
  void fieldFoundByReflectionIsMissing_isBroken() throws IOException {
    reliedOn = "field lib/Base limit:I";
    // what is written to the audit by hand is what was asked for
    Audit audit = Audit.read(new StringReader(reliedOn));
    try (URLClassLoader loader = changedLibrary()) {
      assertThat(Proof.of(app, loader, audit).broken()).noneMatch(each -> each.contains("limit"));
    }
    change(
        "lib.Base", "int limit = 1;", "int most = 1; protected static int limit() { return 1; }");
    Compiled.into(temp.resolve("v2"), temp, library);
    try (URLClassLoader loader = changedLibrary()) {
      assertThat(Proof.of(app, loader, audit).broken())
          .contains("field int lib.Base.limit is missing");
    }
  }

  @Test
  void methodsOfAUsedPackage_areFingerprintedWhereTheyAreReferredTo() throws IOException {
    reliedOn = "used lib/Ba";
    assertThat(linkAgainstLibrary().problems()).isEmpty();
    change("lib.Base", "return this;", "return null;");
    assertThat(linkAgainstLibrary().problems())
        .containsExactly("method lib.Base.self differs from all releases that were read");
  }
}
