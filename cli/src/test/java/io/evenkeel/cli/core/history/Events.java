package io.evenkeel.cli.core.history;

import io.evenkeel.common.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.hadoop.mapreduce.jobhistory.Event;

/** Makes histories; in both encodings with the real schema and the real Avro. */
final class Events {
  private static final String JOB = "1700000000000_0001";

  private final List<Map<String, Object>> events = new ArrayList<>();

  Events submitted(int maps) {
    add(
        "JOB_SUBMITTED",
        "JobSubmitted",
        Map.of("jobid", "job_" + JOB, "jobName", "sort", "userName", "eve", "submitTime", 1000L));
    return add(
        "JOB_INITED",
        "JobInited",
        Map.of("jobid", "job_" + JOB, "totalMaps", maps, "uberized", false));
  }

  Events uber() {
    return add("JOB_INITED", "JobInited", Map.of("totalMaps", 1, "uberized", true));
  }

  Events finished() {
    return add(
        "JOB_FINISHED",
        "JobFinished",
        Map.of(
            "jobid",
            "job_" + JOB,
            "finishTime",
            99_000L,
            "totalCounters",
            counters("JobCounter", Map.of("DATA_LOCAL_MAPS", 2L))));
  }

  Events killed() {
    return add(
        "JOB_KILLED",
        "JobUnsuccessfulCompletion",
        Map.of("jobid", "job_" + JOB, "finishTime", 99_000L, "jobStatus", "KILLED"));
  }

  /** A map task that ran once and succeeded. */
  Events map(int number, String locations, String host, String rack, long... times) {
    started(number, locations);
    attempt(number, 0, host, "", times[0]);
    return succeeded(number, 0, host, rack, times[1], 100L * (number + 1));
  }

  Events started(int number, String locations) {
    return add(
        "TASK_STARTED",
        "TaskStarted",
        Map.of("taskid", task(number), "taskType", "MAP", "splitLocations", locations));
  }

  Events attempt(int number, int attempt, String tracker, String locality, long time) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("taskid", task(number));
    fields.put("attemptId", id(number, attempt));
    fields.put("startTime", time);
    fields.put("trackerName", tracker);
    fields.put("locality", locality.isEmpty() ? null : locality);
    return add("MAP_ATTEMPT_STARTED", "TaskAttemptStarted", fields);
  }

  Events failed(int number, int attempt, String host, long time) {
    return add(
        "MAP_ATTEMPT_FAILED",
        "TaskAttemptUnsuccessfulCompletion",
        Map.of(
            "taskid",
            task(number),
            "attemptId",
            id(number, attempt),
            "finishTime",
            time,
            "hostname",
            host,
            "rackname",
            "/r9"));
  }

  Events succeeded(int number, int attempt, String host, String rack, long time, long read) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("taskid", task(number));
    fields.put("attemptId", id(number, attempt));
    fields.put("finishTime", time);
    fields.put("hostname", host);
    fields.put("rackname", rack);
    fields.put(
        "counters",
        read < 0
            ? counters("Other", Map.of())
            : counters(
                "FileSystemCounter", Map.of("FILE_BYTES_READ", 7L, "HDFS_BYTES_READ", read)));
    add("MAP_ATTEMPT_FINISHED", "MapAttemptFinished", fields);
    return add(
        "TASK_FINISHED",
        "TaskFinished",
        Map.of("taskid", task(number), "successfulAttemptId", id(number, attempt)));
  }

  private static String task(int number) {
    return String.format("task_%s_m_%06d", JOB, number);
  }

  private static String id(int number, int attempt) {
    return String.format("attempt_%s_m_%06d_%d", JOB, number, attempt);
  }

  private static Map<String, Object> counters(String group, Map<String, Long> values) {
    List<Object> counts = new ArrayList<>();
    values.forEach((name, value) -> counts.add(Map.of("name", name, "value", value)));
    String full = "org.apache.hadoop.mapreduce." + group;
    return Map.of("name", "C", "groups", List.of(Map.of("name", full, "counts", counts)));
  }

  private Events add(String type, String record, Map<String, Object> fields) {
    events.add(Map.of("type", type, "record", record, "fields", fields));
    return this;
  }

  /** The file as JSON, with only the fields given; the schema line is not used then. */
  String json() {
    StringBuilder text = new StringBuilder("Avro-Json\n{}\n");
    for (Map<String, Object> event : events) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("type", event.get("type"));
      line.put(
          "event",
          Map.of(
              "org.apache.hadoop.mapreduce.jobhistory." + event.get("record"),
              event.get("fields")));
      text.append(Json.compact(line)).append("\n\n");
    }
    return text.toString();
  }

  /** The file as the application master writes it. */
  byte[] encoded(boolean binary) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String schema = Event.SCHEMA$.toString();
    out.write(
        ((binary ? "Avro-Binary\n" : "Avro-Json\n") + schema + "\n")
            .getBytes(StandardCharsets.UTF_8));
    Encoder encoder =
        binary
            ? EncoderFactory.get().binaryEncoder(out, null)
            : EncoderFactory.get().jsonEncoder(Event.SCHEMA$, out);
    GenericDatumWriter<Object> writer = new GenericDatumWriter<>(Event.SCHEMA$);
    for (Map<String, Object> event : events) {
      GenericData.Record record = new GenericData.Record(Event.SCHEMA$);
      Schema types = Event.SCHEMA$.getField("type").schema();
      record.put("type", new GenericData.EnumSymbol(types, event.get("type").toString()));
      for (Schema branch : Event.SCHEMA$.getField("event").schema().getTypes()) {
        if (branch.getName().equals(event.get("record"))) {
          record.put("event", filled(branch, event.get("fields")));
        }
      }
      writer.write(record, encoder);
      encoder.flush();
      if (!binary) {
        out.write('\n');
      }
    }
    return out.toByteArray();
  }

  private static Object filled(Schema schema, Object given) {
    return switch (schema.getType()) {
      case RECORD -> {
        GenericData.Record record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
          Object value = given == null ? null : ((Map<?, ?>) given).get(field.name());
          record.put(field.pos(), filled(field.schema(), value));
        }
        yield record;
      }
      case UNION -> given == null ? null : filled(schema.getTypes().get(1), given);
      case ARRAY -> {
        List<Object> items = new ArrayList<>();
        for (Object item : given == null ? List.of() : (List<?>) given) {
          items.add(filled(schema.getElementType(), item));
        }
        yield items;
      }
      case MAP -> Map.of("VIEW_JOB", "*");
      case INT -> given == null ? -1 : ((Number) given).intValue();
      case LONG -> given == null ? -1L : ((Number) given).longValue();
      case BOOLEAN -> Boolean.TRUE.equals(given);
      default -> given == null ? "" : given.toString();
    };
  }

  JobHistory read() {
    return read(json().getBytes(StandardCharsets.UTF_8));
  }

  static JobHistory read(byte[] file) {
    try {
      return HistoryReader.read(new ByteArrayInputStream(file));
    } catch (IOException | HistoryException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
