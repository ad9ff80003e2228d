package io.evenkeel.cli.core.history;

import io.evenkeel.common.json.Json;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a history file as the application master writes it: a line with the encoding, a line with
 * the schema, then the events, either one JSON object a line or in Avro's binary encoding. Pure;
 * {@code JobFiles} finds and opens the file. Stateless.
 *
 * <p>A file that ends inside an event, or breaks off before the job's end, is read as far as it
 * goes; {@link JobHistory#problem} says so.
 *
 * <p>Hadoop's own {@code JobHistoryParser} is not used: it keeps no locality of an attempt. With
 * its {@code EventReader} about 300 of 900 lines here would go (this decoding and {@link
 * AvroBinary}), about 200 would come that carry events over from a process with Hadoop, and a
 * history file could no longer be read without one. {@code RealJobIT} compares what the two read.
 */
public final class HistoryReader {
  private static final String JSON = "Avro-Json";
  private static final String BINARY = "Avro-Binary";
  private static final int[] GZIP = {0x1f, 0x8b}; // what such a file begins with
  private static final int LONGEST_SCHEMA = 16 << 20;

  private HistoryReader() {}

  /**
   * Reads it all; does not close the stream.
   *
   * @throws HistoryException when it is no job history
   * @throws IOException when the stream fails
   */
  public static JobHistory read(InputStream stream) throws IOException, HistoryException {
    BufferedInputStream in = new BufferedInputStream(stream, 1 << 16);
    in.mark(2);
    int first = in.read();
    int second = in.read();
    in.reset();
    if (first < 0) {
      throw new HistoryException("is no job history: it is empty");
    }
    if (first == GZIP[0] && second == GZIP[1]) {
      throw new HistoryException("is compressed by gzip; unpack it first");
    }
    String encoding = line(in, 64);
    if (!JSON.equals(encoding) && !BINARY.equals(encoding)) {
      throw new HistoryException(
          "is no job history: it begins with neither " + JSON + " nor " + BINARY);
    }
    String schema = line(in, LONGEST_SCHEMA);
    if (schema == null) {
      throw new HistoryException("is a job history that ends before its first event");
    }
    HistoryBuilder builder = new HistoryBuilder();
    String broken = JSON.equals(encoding) ? json(in, builder) : binary(in, schema, builder);
    JobHistory history = builder.build(broken);
    if (builder.events() == 0) {
      throw new HistoryException(
          "is a job history without an event that can be read" + andThat(broken));
    }
    return history;
  }

  /** A line; null when the stream ends first or the line is too long for what it should be. */
  private static String line(InputStream in, int longest) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0 || bytes.size() >= longest) {
        return null;
      }
      bytes.write(octet);
    }
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8).trim();
  }

  private static String json(InputStream in, HistoryBuilder builder) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.trim().isEmpty()) {
        Object event;
        try {
          event = Json.parse(line);
        } catch (IllegalArgumentException e) {
          return brokenAfter(builder);
        }
        if (!(event instanceof Map)) {
          return brokenAfter(builder);
        }
        builder.add((Map<?, ?>) event);
      }
    }
    return "";
  }

  private static String binary(InputStream in, String schema, HistoryBuilder builder)
      throws IOException, HistoryException {
    AvroBinary reader;
    try {
      reader = new AvroBinary(Json.parse(schema), in);
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new HistoryException("is a job history whose schema cannot be read", e);
    }
    try {
      for (Object event = reader.next(); event != null; event = reader.next()) {
        builder.add((Map<?, ?>) event);
      }
      return "";
    } catch (EOFException | ClassCastException e) {
      return brokenAfter(builder);
    } catch (IOException e) {
      if (builder.events() == 0) {
        throw new HistoryException("is a job history that cannot be read: " + e.getMessage(), e);
      }
      return brokenAfter(builder);
    }
  }

  private static String brokenAfter(HistoryBuilder builder) {
    return "what follows event " + builder.events() + " cannot be read";
  }

  private static String andThat(String broken) {
    return broken.isEmpty() ? "" : "; " + broken;
  }

  /** Puts the events of one history together. */
  private static final class HistoryBuilder {
    private static final String FILE_SYSTEM = "org.apache.hadoop.mapreduce.FileSystemCounter";
    private static final String JOB = "org.apache.hadoop.mapreduce.JobCounter";
    private static final String HDFS_READ = "HDFS_BYTES_READ";
    private static final Pattern MAP_ID = Pattern.compile("task_\\d+_\\d+_m_(\\d{1,9})");

    private final JobHistory history = new JobHistory();
    private final Map<String, List<String>> locations = new LinkedHashMap<>();
    private final Map<String, Attempt> attempts = new LinkedHashMap<>();
    private final Map<String, String> successful = new HashMap<>();
    private long events;

    void add(Map<?, ?> event) {
      events++;
      String type = String.valueOf(event.get("type"));
      EventFields fields = EventFields.of(event.get("event"));
      if (type.startsWith("JOB_")) {
        job(type, fields);
      } else if (type.equals("TASK_STARTED") && fields.text("taskType").equals("MAP")) {
        String names = fields.text("splitLocations");
        locations.put(
            fields.text("taskid"),
            names.isEmpty() ? Collections.emptyList() : Arrays.asList(names.split(",")));
      } else if (type.equals("TASK_FINISHED")) {
        successful.put(fields.text("taskid"), fields.text("successfulAttemptId"));
      } else if (type.endsWith("_ATTEMPT_STARTED")) {
        Attempt attempt = attempt(fields);
        attempt.started = fields.number("startTime");
        attempt.yarnLocality = fields.text("locality");
        attempt.host = fields.text("trackerName");
      } else if (type.contains("_ATTEMPT_")) {
        attemptEnded(type, fields);
      }
    }

    private Attempt attempt(EventFields fields) {
      return attempts.computeIfAbsent(fields.text("attemptId"), Attempt::new);
    }

    private void attemptEnded(String type, EventFields fields) {
      Attempt attempt = attempt(fields);
      attempt.finished = fields.number("finishTime");
      attempt.rack = fields.text("rackname");
      if (!fields.text("hostname").isEmpty()) {
        attempt.host = fields.text("hostname");
      }
      Map<String, Long> read = new HashMap<>();
      fields.counters("counters", FILE_SYSTEM, read);
      attempt.hdfsBytesRead = read.getOrDefault(HDFS_READ, Attempt.NOT_KNOWN);
      if (type.equals("MAP_ATTEMPT_FINISHED")) {
        // histories of early releases do not name it when the task ends
        successful.putIfAbsent(fields.text("taskid"), attempt.id);
      }
    }

    private void job(String type, EventFields fields) {
      history.jobId = history.jobId.isEmpty() ? fields.text("jobid") : history.jobId;
      switch (type) {
        case "JOB_SUBMITTED":
          history.name = fields.text("jobName");
          history.user = fields.text("userName");
          history.submitted = fields.number("submitTime");
          break;
        case "JOB_INITED":
          history.totalMaps = (int) Math.max(0, fields.number("totalMaps"));
          history.uber = fields.isTrue("uberized");
          break;
        case "JOB_FINISHED":
          history.state = "SUCCEEDED";
          history.finished = fields.number("finishTime");
          fields.counters("totalCounters", JOB, history.counters);
          break;
        case "JOB_FAILED":
        case "JOB_KILLED":
        case "JOB_ERROR":
          history.state = fields.text("jobStatus");
          history.finished = fields.number("finishTime");
          break;
        default:
          break;
      }
    }

    long events() {
      return events;
    }

    /**
     * The history.
     *
     * @param broken what kept the rest from being read; empty when there is no rest
     */
    JobHistory build(String broken) {
      locations.forEach(
          (id, names) -> {
            Matcher m = MAP_ID.matcher(id);
            if (m.matches()) {
              Attempt attempt = attempts.get(successful.getOrDefault(id, ""));
              history.maps.add(new MapTask(id, Integer.parseInt(m.group(1)), names, attempt));
            }
          });
      history.maps.sort((one, other) -> Integer.compare(one.number(), other.number()));
      history.attempts.addAll(new ArrayList<>(attempts.values()));
      if (history.state.isEmpty()) {
        history.problem = "it has no end of the job" + andThat(broken);
      } else {
        history.problem = broken;
      }
      return history;
    }
  }

  /**
   * The fields of one event, in whichever of the two encodings it came. In JSON the value of a
   * union stands in an object with the name of its type as the only member.
   */
  private static final class EventFields {
    private final Map<?, ?> fields;

    private EventFields(Map<?, ?> fields) {
      this.fields = fields;
    }

    /** What an event carries; no field when it is no object. */
    static EventFields of(Object event) {
      Object inner = unwrapped(event);
      return new EventFields(inner instanceof Map ? (Map<?, ?>) inner : Collections.emptyMap());
    }

    private static Object unwrapped(Object value) {
      if (value instanceof Map && ((Map<?, ?>) value).size() == 1) {
        Map.Entry<?, ?> only = ((Map<?, ?>) value).entrySet().iterator().next();
        String type = String.valueOf(only.getKey());
        if (type.startsWith("org.apache.hadoop.") || type.equals("string")) {
          return only.getValue();
        }
      }
      return value;
    }

    /** A text; empty when there is none. */
    String text(String name) {
      Object value = unwrapped(fields.get(name));
      return value == null ? "" : String.valueOf(value);
    }

    /** A number, or {@link Attempt#NOT_KNOWN}. */
    long number(String name) {
      Object value = unwrapped(fields.get(name));
      return value instanceof Number ? ((Number) value).longValue() : Attempt.NOT_KNOWN;
    }

    boolean isTrue(String name) {
      return Boolean.TRUE.equals(fields.get(name));
    }

    /** The counters of a group in a field of counters, added to {@code target}. */
    void counters(String field, String group, Map<String, Long> target) {
      for (Object each : list(EventFields.of(fields.get(field)).fields.get("groups"))) {
        EventFields one = EventFields.of(each);
        if (one.text("name").equals(group)) {
          for (Object counter : list(one.fields.get("counts"))) {
            EventFields values = EventFields.of(counter);
            target.put(values.text("name"), values.number("value"));
          }
        }
      }
    }

    private static List<?> list(Object value) {
      return value instanceof List ? (List<?>) value : Collections.emptyList();
    }
  }
}
