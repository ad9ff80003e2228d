package io.evenkeel.mover.core.follow;

import io.evenkeel.common.config.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code evenkeel mover --requests} prints. Immutable. Separate from what runs them, which
 * need not know how they are shown.
 */
public final class RequestList {
  private static final String SCHEMA = "evenkeel.mover.requests/1";

  private final String instance;
  private final List<Row> rows = new ArrayList<>();
  private final int queued;
  private final String paused;

  /** One request. */
  private static final class Row {
    private final RequestState state;
    private final boolean moving;

    Row(RequestState state, boolean moving) {
      this.state = state;
      this.moving = moving;
    }

    private String text() {
      return moving
          ? "moving"
          : state.waitMs() > 0 ? "again in " + Units.humanDuration(state.waitMs()) : "waits";
    }
  }

  /**
   * Creates it without requests.
   *
   * @param instance name of the daemon
   * @param queued requests without an end, those that are not listed included
   * @param paused by whom the daemon is paused and since when; empty when it is not
   */
  public RequestList(String instance, int queued, String paused) {
    this.instance = instance;
    this.queued = queued;
    this.paused = paused;
  }

  /** Adds a request, and whether the mover works on it. */
  public void add(RequestState state, boolean moving) {
    rows.add(new Row(state, moving));
  }

  /** One line for each request below a headline. */
  public List<String> text() {
    List<String> lines = new ArrayList<>();
    lines.add(
        instance
            + (queued == 1 ? ": 1 request" : ": " + queued + " requests")
            + (paused.isEmpty() ? "" : ", paused " + paused));
    if (!rows.isEmpty()) {
      lines.add(line("ID", "KIND", "STATE", "AGE", "TRIES", "PATH"));
    }
    for (Row row : rows) {
      QueuedRequest request = row.state.request();
      lines.add(
          line(
              String.valueOf(request.id()),
              request.kind().shown(),
              row.text(),
              Units.humanDuration(row.state.ageMs()),
              String.valueOf(request.attempts()),
              printable(request.title())));
    }
    if (rows.size() < queued) {
      lines.add("... and " + (queued - rows.size()) + " more");
    }
    return lines;
  }

  private static String line(String... cells) {
    return String.format(Locale.ROOT, "%9s  %-7s  %-14s  %7s  %5s  %s", (Object[]) cells);
  }

  private static String printable(String text) {
    return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  /** The same for programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", SCHEMA);
    json.put("instance", instance);
    json.put("paused", paused.isEmpty() ? null : paused);
    json.put("queued", queued);
    List<Object> requests = new ArrayList<>();
    for (Row row : rows) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("id", row.state.request().id());
      one.put("kind", row.state.request().kind().shown());
      one.put("moving", row.moving);
      one.put("againInSeconds", row.state.waitMs() / 1000);
      one.put("ageSeconds", row.state.ageMs() / 1000);
      one.put("attempts", row.state.request().attempts());
      one.put("path", row.state.request().title());
      requests.add(one);
    }
    json.put("requests", requests);
    return json;
  }
}
