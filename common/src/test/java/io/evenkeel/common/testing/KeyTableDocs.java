package io.evenkeel.common.testing;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps the key tables of the documentation equal to the code. A section of a Markdown file stands
 * between {@code <!-- keys:NAME -->} and {@code <!-- /keys:NAME -->}. Stateless.
 */
public final class KeyTableDocs {
  private KeyTableDocs() {}

  /** The table as Markdown, one row a key, ending with a line break. */
  public static String render(KeyTable table) {
    StringBuilder text = new StringBuilder("| Key | Default | Allowed values | Meaning |\n");
    text.append("|---|---|---|---|\n");
    for (Key<?> key : table.keys()) {
      String defaultText = key.defaultText().isEmpty() ? "(none)" : "`" + key.defaultText() + "`";
      text.append("| `").append(key.name()).append("` | ").append(cell(defaultText));
      text.append(" | ").append(cell(key.range()));
      text.append(" | ").append(cell(key.doc())).append(" |\n");
    }
    return text.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace('\n', ' ');
  }

  /**
   * Compares a section of a Markdown file with a table.
   *
   * @throws AssertionError with the text to paste when they differ or the section is missing
   */
  public static void assertDocumented(Path markdown, String section, KeyTable table)
      throws IOException {
    String begin = "<!-- keys:" + section + " -->";
    String end = "<!-- /keys:" + section + " -->";
    String text =
        new String(Files.readAllBytes(markdown), StandardCharsets.UTF_8).replace("\r\n", "\n");
    int from = text.indexOf(begin);
    int to = text.indexOf(end);
    String found = from < 0 || to < from ? "" : text.substring(from + begin.length(), to).trim();
    String expected = render(table);
    if (!found.equals(expected.trim())) {
      String paste = begin + "\n" + expected + end;
      throw new AssertionError(
          markdown.getFileName() + " does not match the keys; its section must be:\n" + paste);
    }
  }
}
