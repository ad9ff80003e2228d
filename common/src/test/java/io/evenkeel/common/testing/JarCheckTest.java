package io.evenkeel.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refuses jars with one planted fault each. */
class JarCheckTest {
  private static final String LISTED = "org/apache/hadoop/hdfs/Listed.class";

  @TempDir Path temp;
  private final JarCheck check = JarCheck.of("x", "org.apache.hadoop.hdfs.Listed");
  private final Map<String, byte[]> entries = new TreeMap<>();
  private String version = "0.1.0";

  JarCheckTest() {
    entries.put("META-INF/LICENSE", new byte[1]);
    entries.put("META-INF/NOTICE", new byte[1]);
    entries.put("io/evenkeel/x/Policy.class", classFile(52));
    entries.put("io/evenkeel/x/shaded/gson/Gson.class", classFile(51));
  }

  private static byte[] classFile(int version) {
    return new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, (byte) version};
  }

  private Path jar() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (version != null) {
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    }
    Path jar = temp.resolve("x.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return jar;
  }

  @Test
  void problems_cleanJar_areNone() throws IOException {
    entries.put(LISTED, classFile(52));
    entries.put("org/apache/hadoop/hdfs/Listed$Inner.class", classFile(52));
    assertThat(check.problems(jar())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com/google/gson/Gson.class",
        "picocli/CommandLine.class",
        "io/evenkeel/common/json/Json.class",
        "io/evenkeel/xy/Other.class",
        "org/apache/hadoop/hdfs/Smuggled.class",
        "org/apache/hadoop/hdfs/ListedToo.class",
        "META-INF/versions/9/Extra.class",
        "module-info.class",
        "hdfs-site.xml"
      })
  void problems_foreignEntry_isReported(String name) throws IOException {
    entries.put(name, classFile(52));
    assertThat(check.problems(jar())).containsExactly("foreign entry " + name);
  }

  @ParameterizedTest
  @CsvSource({"53", "55", "61"})
  void problems_classForALaterJava_isReported(int major) throws IOException {
    entries.put("io/evenkeel/x/New.class", classFile(major));
    assertThat(check.problems(jar()))
        .containsExactly("class version " + major + " (limit 52) of io/evenkeel/x/New.class");
  }

  @ParameterizedTest
  @ValueSource(strings = {"META-INF/LICENSE", "META-INF/NOTICE"})
  void problems_licenceMissing_isReported(String name) throws IOException {
    entries.remove(name);
    assertThat(check.problems(jar())).containsExactly("no " + name);
  }

  @Test
  void problems_versionMissing_isReported() throws IOException {
    version = null;
    assertThat(check.problems(jar())).containsExactly("no Implementation-Version in the manifest");
  }

  @Test
  void problems_relocatedPackageInfo_isReported() throws IOException {
    String name = "io/evenkeel/x/shaded/gson/package-info.class";
    entries.put(name, classFile(52));
    assertThat(check.problems(jar())).containsExactly("empty class " + name);
  }

  @Test
  void problems_noClassOfTheModule_isReported() throws IOException {
    entries.remove("io/evenkeel/x/Policy.class");
    entries.remove("io/evenkeel/x/shaded/gson/Gson.class");
    assertThat(check.problems(jar())).containsExactly("no class under io/evenkeel/x/");
  }
}
