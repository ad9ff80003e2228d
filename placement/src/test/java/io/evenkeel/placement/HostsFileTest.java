package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class HostsFileTest {
  @TempDir Path dir;

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("hosts"), text);
  }

  @Test
  void read_fileOfDfsHosts_givesEachHostOnce() throws IOException {
    String text = "# all\nvm1\n  vm2:9866 vm3 # new\n\nvm1\nfe80:0:0:0:0:0:0:1\n";
    assertThat(HostsFile.read(file(text)))
        .containsExactly("vm1", "vm2", "vm3", "fe80:0:0:0:0:0:0:1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[{\"hostName\": \"vm1\"}]", "{\"hostName\": \"vm1\"}", "<?xml?>"})
  void read_anotherFormat_saysSo(String text) throws IOException {
    Path file = file("\n" + text);
    assertThatThrownBy(() -> HostsFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("JSON or XML");
  }
}
