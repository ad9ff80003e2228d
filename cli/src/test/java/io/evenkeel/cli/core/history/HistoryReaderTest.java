package io.evenkeel.cli.core.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryReaderTest {
  private static Events someJob() {
    return new Events()
        .submitted(3)
        .started(2, "")
        .map(0, "a1,b1,c1", "a1", "/r1", 2000, 5000)
        .started(1, "b1")
        .attempt(1, 0, "c1", "OFF_SWITCH", 2000)
        .attempt(1, 1, "b2", "RACK_LOCAL", 3000)
        .failed(1, 0, "c1", 2500)
        .succeeded(1, 1, "b2", "/r1", 6000, -1)
        .finished();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void read_someJob_hasWhatItSays() {
    JobHistory job = someJob().read();
    assertThat(job.jobId()).isEqualTo("job_1700000000000_0001");
    assertThat(job.name()).isEqualTo("sort");
    assertThat(job.user()).isEqualTo("eve");
    assertThat(job.state()).isEqualTo("SUCCEEDED");
    assertThat(job.problem()).isEmpty();
    assertThat(job.totalMaps()).isEqualTo(3);
    assertThat(job.uber()).isFalse();
    assertThat(job.submitted()).isEqualTo(1000);
    assertThat(job.finished()).isEqualTo(99_000);
    assertThat(job.counters()).containsEntry("DATA_LOCAL_MAPS", 2L);
    assertThat(job.maps()).extracting(MapTask::number).containsExactly(0, 1, 2);
    MapTask first = job.maps().get(0);
    assertThat(first.locations()).containsExactly("a1", "b1", "c1");
    assertThat(first.successful().host()).isEqualTo("a1");
    assertThat(first.successful().rack()).isEqualTo("/r1");
    assertThat(first.successful().hdfsBytesRead()).isEqualTo(100);
    Attempt second = job.maps().get(1).successful();
    assertThat(second.id()).endsWith("_m_000001_1");
    assertThat(second.yarnLocality()).isEqualTo("RACK_LOCAL");
    assertThat(second.hdfsBytesRead()).isEqualTo(Attempt.NOT_KNOWN);
    assertThat(second.started()).isEqualTo(3000);
    assertThat(second.finished()).isEqualTo(6000);
    assertThat(job.maps().get(2).successful()).isNull();
    assertThat(job.maps().get(2).locations()).isEmpty();
    assertThat(job.attempts()).hasSize(3);
  }

  private static String told(JobHistory job) {
    StringBuilder text = new StringBuilder();
    text.append(List.of(job.jobId(), job.name(), job.user(), job.state(), job.problem()));
    text.append(List.of(job.totalMaps(), job.submitted(), job.finished(), job.counters()));
    for (MapTask map : job.maps()) {
      text.append('\n').append(map.id()).append(map.locations());
      text.append(map.successful() == null ? "-" : map.successful().id());
    }
    for (Attempt each : job.attempts()) {
      text.append('\n').append(List.of(each.id(), each.host(), each.rack(), each.yarnLocality()));
      text.append(List.of(each.started(), each.finished(), each.hdfsBytesRead()));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void read_encodedByAvroItself_isTheSame(boolean binary) throws IOException {
    assertThat(told(Events.read(someJob().encoded(binary)))).isEqualTo(told(someJob().read()));
  }

  @Test
  void read_killedJob_isComplete() {
    JobHistory job = new Events().submitted(1).killed().read();
    assertThat(job.state()).isEqualTo("KILLED");
    assertThat(job.problem()).isEmpty();
  }

  @Test
  void read_uberJob_isOne() throws IOException {
    assertThat(Events.read(new Events().uber().encoded(true)).uber()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void read_cutAnywhere_saysSoOrIsRefused(boolean binary) throws Exception {
    byte[] whole = someJob().encoded(binary);
    String complete = told(Events.read(whole));
    int header = new String(whole, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
    int first = new String(whole, StandardCharsets.ISO_8859_1).indexOf('\n', header) + 1;
    int asPart = 0;
    for (int length = 0; length < whole.length - 1; length += 3) {
      byte[] cut = Arrays.copyOf(whole, length);
      try {
        JobHistory job = HistoryReader.read(new ByteArrayInputStream(cut));
        // a line without its end is whole when the object in it is
        assertThat(job.problem().isEmpty()).isEqualTo(told(job).equals(complete));
        asPart++;
      } catch (HistoryException e) {
        assertThat(length).isLessThan(first + 1500);
        assertThat(e.getMessage()).startsWith("is ");
      }
    }
    assertThat(asPart).isGreaterThan(150);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void read_damagedAnywhere_neverFailsOtherwise(boolean binary) throws Exception {
    byte[] whole = someJob().encoded(binary);
    Random random = new Random(7);
    int readable = 0;
    for (int round = 0; round < 500; round++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      try {
        HistoryReader.read(new ByteArrayInputStream(damaged));
        readable++;
      } catch (HistoryException e) {
        assertThat(e.getMessage()).startsWith("is ");
      }
    }
    assertThat(readable).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"array\",\"items\":\"null\"}",
        "{\"name\":\"X\",\"type\":\"record\",\"fields\":[{\"name\":\"x\",\"type\":\"X\"}]}",
        "{\"type\":\"record\"}",
        "{\"type\":\"fixed\",\"size\":9}",
        "[]",
        "{",
        "[\"null\",7]"
      })
  void read_absurdSchema_isRefused(String schema) {
    // as many items as a number can say, none of which takes a byte
    byte[] header = bytes("Avro-Binary\n" + schema + "\n");
    byte[] file = Arrays.copyOf(header, header.length + 10);
    Arrays.fill(file, header.length, file.length - 1, (byte) 0xFE);
    file[file.length - 1] = 1;
    assertThatThrownBy(() -> HistoryReader.read(new ByteArrayInputStream(file)))
        .isInstanceOf(HistoryException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no history\n{}\n", "Avro-Json", "Avro-Json\n", "Avro-Json\n{}\n"})
  void read_somethingElse_isRefused(String text) {
    assertThatThrownBy(() -> HistoryReader.read(new ByteArrayInputStream(bytes(text))))
        .isInstanceOf(HistoryException.class)
        .hasMessageStartingWith("is ");
  }

  @Test
  void read_packedOrEmpty_saysSo() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes("Avro-Json\n{}\n{}\n"));
    }
    assertThatThrownBy(() -> HistoryReader.read(new ByteArrayInputStream(packed.toByteArray())))
        .isInstanceOf(HistoryException.class)
        .hasMessage("is compressed by gzip; unpack it first");
    assertThatThrownBy(() -> HistoryReader.read(new ByteArrayInputStream(new byte[0])))
        .isInstanceOf(HistoryException.class)
        .hasMessage("is no job history: it is empty");
  }

  @Test
  void read_brokenLine_keepsWhatStoodBefore() {
    String text = someJob().json();
    int end = text.indexOf("JOB_FINISHED");
    JobHistory job = Events.read(bytes(text.substring(0, end)));
    assertThat(job.problem()).contains("no end of the job").contains("cannot be read");
    assertThat(job.maps()).hasSize(3);
  }
}
