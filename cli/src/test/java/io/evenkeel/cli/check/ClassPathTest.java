package io.evenkeel.cli.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.cli.check.core.Module;
import io.evenkeel.common.cli.CommandException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
  @TempDir private Path dir;

  private File script(String body) throws IOException {
    Path script = Files.writeString(dir.resolve("hdfs"), "#!/bin/sh\n" + body + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script.toFile();
  }

  @Test
  void ask_lastLine_isTheClassPath() throws Exception {
    File script = script("echo warning; echo /a.jar:/b; echo");
    assertThat(ClassPath.ask(script, dir.toFile()))
        .containsExactly(new File("/a.jar"), new File("/b"));
  }

  @Test
  @Timeout(60)
  void ask_scriptThatHangs_isEnded() throws IOException {
    File script = script("exec sleep 600");
    assertThatThrownBy(() -> ClassPath.ask(script, dir.toFile(), 100))
        .isInstanceOf(CommandException.class)
        .hasMessage(script + " classpath --glob did not end within 100 ms; see hadoop-env.sh");
  }

  /** A JVM passes over what is not there, and a jar may have any name. */
  @Test
  void jarOf_modulesClassesUnderAnotherName_isWhereADaemonLoadsThem() throws IOException {
    File classes = new File("../volume-policy/target/classes").getCanonicalFile();
    File common = new File("../common/target/classes").getCanonicalFile();
    File gone = new File("/gone/evenkeel-volume-policy-0.0.9.jar");
    ClassPath path = new ClassPath(List.of(gone, classes, common), dir.toFile());
    assertThat(path.jarOf(Module.VOLUME)).contains(classes);
    assertThat(path.jarOf(Module.LOCKING)).isEmpty();
  }
}
