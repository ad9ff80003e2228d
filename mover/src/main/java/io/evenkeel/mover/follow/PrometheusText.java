package io.evenkeel.mover.follow;

/** The numbers of a daemon in Prometheus' text format. Stateless. */
final class PrometheusText {
  private final StringBuilder text = new StringBuilder();

  private PrometheusText() {}

  static String of(FollowMXBean s) {
    PrometheusText t = new PrometheusText();
    t.gauge(
        "active", "1 when this daemon is the active one", s.getState().equals("active") ? 1 : 0);
    t.gauge("paused", "1 when an administrator has paused it", s.isPaused() ? 1 : 0);
    t.gauge("lag_transactions", "Transactions not read yet, -1 unknown", s.getLagTransactions());
    t.seconds("lag_seconds", "Age of the last event read", s.getLagMillis());
    t.gauge("last_transaction", "Last transaction in the journal", s.getLastTransaction());
    t.gauge("requests_queued", "Requests without an end", s.getQueued());
    t.gauge("requests_running", "Requests worked on", s.getRunning());
    t.seconds("oldest_request_seconds", "Age of the oldest request", s.getOldestRequestMillis());
    t.counter("events_total", "Events read", s.getEvents());
    t.counter("create_events_total", "Events of new files read", s.getCreateEvents());
    t.counter("requests_total", "Requests journalled", s.getRequests());
    t.counter("attempts_total", "Attempts ended", s.getAttempts());
    t.counter("files_satisfied_total", "Files as their policy asks", s.getFilesSatisfied());
    t.counter("files_failed_total", "Files given up", s.getFilesFailed());
    t.counter("replicas_moved_total", "Replicas moved", s.getReplicasMoved());
    t.counter("bytes_local_total", "Bytes moved inside DataNodes", s.getBytesLocal());
    t.counter("bytes_remote_total", "Bytes moved over the network", s.getBytesRemote());
    t.rate("events_per_second", "Events read a second", s.getEventsPerSecond());
    t.rate("replicas_per_second", "Replicas moved a second", s.getReplicasPerSecond());
    t.rate("bytes_per_second", "Bytes moved a second", s.getBytesPerSecond());
    t.counter("retries_total", "Attempts made again", s.getRetries());
    t.counter("rescans_total", "Scans after lost events", s.getRescans());
    t.counter("activations_total", "Times this daemon became active", s.getActivations());
    return t.text.toString();
  }

  private void counter(String name, String help, long value) {
    line(name, "counter", help, String.valueOf(value));
  }

  private void gauge(String name, String help, long value) {
    line(name, "gauge", help, String.valueOf(value));
  }

  private void seconds(String name, String help, long millis) {
    line(name, "gauge", help, String.valueOf(millis / 1000.0));
  }

  private void rate(String name, String help, double value) {
    line(name, "gauge", help + ", over the last minute", String.valueOf(value));
  }

  private void line(String name, String type, String help, String value) {
    String full = "evenkeel_mover_" + name;
    text.append("# HELP ").append(full).append(' ').append(help).append(".\n");
    text.append("# TYPE ").append(full).append(' ').append(type).append('\n');
    text.append(full).append(' ').append(value).append('\n');
  }
}
