package io.evenkeel.common.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class KeyTableDocsTest {
  private static final KeyTable TABLE =
      KeyTable.of(
          "evenkeel.x.",
          Key.choice("evenkeel.x.mode", "What it does.", "on", "off"),
          Key.text("evenkeel.x.dirs", "", "paths", "Where it looks."));
  private static final String ROWS =
      "| Key | Default | Allowed values | Meaning |\n"
          + "|---|---|---|---|\n"
          + "| `evenkeel.x.mode` | `on` | on \\| off | What it does. |\n"
          + "| `evenkeel.x.dirs` | (none) | paths | Where it looks. |\n"
          + "| `evenkeel.x.unknown-keys` | `fail` | fail \\| warn | Whether an unknown key under"
          + " this prefix stops the start (fail) or gives one warning (warn, for rolling upgrades,"
          + " where one file serves old and new jars). |\n";

  @TempDir Path temp;

  private Path markdown(String text) throws IOException {
    return Files.writeString(temp.resolve("configuration.md"), text);
  }

  @Test
  void assertDocumented_sameRows_passes() throws IOException {
    Path file = markdown("# Title\n<!-- keys:x -->\n\n" + ROWS + "\n<!-- /keys:x -->\nEnd.\n");
    assertThatCode(() -> KeyTableDocs.assertDocumented(file, "x", TABLE))
        .doesNotThrowAnyException();
  }

  @Test
  void assertDocumented_changedDefault_failsWithTheTextToPaste() throws IOException {
    Path file =
        markdown("<!-- keys:x -->\n" + ROWS.replace("`on`", "`off`") + "<!-- /keys:x -->\n");
    assertThatThrownBy(() -> KeyTableDocs.assertDocumented(file, "x", TABLE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("<!-- keys:x -->\n" + ROWS + "<!-- /keys:x -->");
  }

  @Test
  void assertDocumented_missingSection_fails() throws IOException {
    Path file = markdown("<!-- keys:y -->\n" + ROWS + "<!-- /keys:y -->\n");
    assertThatThrownBy(() -> KeyTableDocs.assertDocumented(file, "x", TABLE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("configuration.md does not match");
  }
}
