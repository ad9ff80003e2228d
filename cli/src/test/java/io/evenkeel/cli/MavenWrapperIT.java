package io.evenkeel.cli;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** mvnw fetches a Maven that only echoes, with a JDK and a few tools and neither unzip nor tar. */
@Timeout(120)
@Tag("once")
class MavenWrapperIT {
  private static final Path ROOT =
      Path.of(System.getProperty("evenkeel.root", "..")).toAbsolutePath().normalize();
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "uname",
          "dirname",
          "basename",
          "tr",
          "mktemp",
          "mkdir",
          "cat",
          "sha256sum",
          "rm",
          "mv",
          "chmod");

  @TempDir private Path dir;
  private Path mvnw;

  @BeforeEach
  void prepare() throws IOException {
    mvnw = Files.createDirectories(dir.resolve("a check out")).resolve("mvnw");
    Files.copy(ROOT.resolve("mvnw"), mvnw, COPY_ATTRIBUTES);
  }

  private Path maven() throws IOException {
    Path zip = dir.resolve("apache-maven-0-bin.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("apache-maven-0/bin/mvn"));
      out.write("#!/bin/sh\necho Maven \"$@\"\n".getBytes(StandardCharsets.UTF_8));
    }
    return zip;
  }

  private ScriptRunner.Result run(Path distribution, String checksum) throws Exception {
    Path wrapper = Files.createDirectories(mvnw.resolveSibling(".mvn/wrapper"));
    Files.writeString(
        wrapper.resolve("maven-wrapper.properties"),
        "distributionType=only-script\ndistributionUrl="
            + distribution.toUri()
            + "\ndistributionSha256Sum="
            + checksum
            + "\n");
    return new ScriptRunner(dir)
        .run(
            mvnw,
            Map.of("PATH", pathOfTools(), "MAVEN_USER_HOME", dir.resolve("home").toString()),
            "-o",
            "verify");
  }

  private String pathOfTools() throws IOException {
    Path bin = Files.createDirectories(dir.resolve("only"));
    for (String tool : TOOLS) {
      Path real =
          Stream.of("/usr/bin", "/bin")
              .map(parent -> Path.of(parent, tool))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Path file = Files.writeString(bin.resolve(tool), "#!/bin/sh\nexec " + real + " \"$@\"\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    return bin.toString();
  }

  private static String sha256(Path file) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }

  @Test
  void mvnw_withoutUnzipAndTar_unpacksMaven() throws Exception {
    Path zip = maven();
    ScriptRunner.Result result = run(zip, sha256(zip));
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("Maven -o verify\n");
    assertThat(result.code()).isZero();
  }

  @Test
  void mvnw_wrongChecksum_isRefused() throws Exception {
    ScriptRunner.Result result = run(maven(), "0".repeat(64));
    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains("Failed to validate Maven distribution SHA-256");
    assertThat(result.out()).isEmpty();
  }
}
