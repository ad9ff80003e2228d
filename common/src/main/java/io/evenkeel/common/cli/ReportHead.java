package io.evenkeel.common.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the JSON of every command begins with, as {@code docs/commands-json.md} has it. */
public final class ReportHead {
  private ReportHead() {}

  /** A document that a command adds its own members to; the version is null in no jar. */
  public static Map<String, Object> of(String schema, ExitCode exitCode) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", schema);
    json.put("evenkeel", ReportHead.class.getPackage().getImplementationVersion());
    json.put("exitCode", exitCode.code());
    return json;
  }
}
