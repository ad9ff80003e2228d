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
import java.util.Map;

/**
 * Reads a history file as the application master writes it: a line with the encoding, a line with
 * the schema, then the events, either one JSON object a line or in Avro's binary encoding.
 * Stateless.
 *
 * <p>A file that ends inside an event, or breaks off before the job's end, is read as far as it
 * goes; {@link JobHistory#problem} says so.
 */
public final class HistoryReader {
  private static final String JSON = "Avro-Json";
  private static final String BINARY = "Avro-Binary";
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
      throw new HistoryException("is a job history without an event that can be read" + broken);
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
    return "; what follows event " + builder.events() + " cannot be read";
  }
}
