package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalityCommandTest {
  private static final String ID = "job_1700000000000_0007";

  @TempDir private Path temporary;
  private final EvenkeelRunner evenkeel = new EvenkeelRunner();

  private static String event(String type, String record, String fields) {
    return String.format(
        "{\"type\":\"%s\",\"event\":{\"org.apache.hadoop.mapreduce.jobhistory.%s\":{%s}}}%n",
        type, record, fields.replace('\'', '"'));
  }

  private static String map(int number, String locations, String host, long bytes) {
    String task = "'taskid':'task_1700000000000_0007_m_00000" + number + "'";
    String attempt = "'attemptId':'attempt_1700000000000_0007_m_00000" + number + "_0'";
    String counter =
        "'counters':{'name':'x','groups':[{'name':"
            + "'org.apache.hadoop.mapreduce.FileSystemCounter','counts':[{'name':"
            + "'HDFS_BYTES_READ','value':"
            + bytes
            + "}]}]}";
    return event(
            "TASK_STARTED",
            "TaskStarted",
            task + ",'taskType':'MAP','splitLocations':'" + locations + "'")
        + event(
            "MAP_ATTEMPT_STARTED", "TaskAttemptStarted", task + "," + attempt + ",'startTime':0")
        + event(
            "MAP_ATTEMPT_FINISHED",
            "MapAttemptFinished",
            String.join(
                ",",
                task,
                attempt,
                "'finishTime':1500",
                "'hostname':'" + host + "'",
                "'rackname':'/default-rack'",
                counter));
  }

  private static String unfinished() {
    return "Avro-Json\n{}\n"
        + event(
            "JOB_SUBMITTED",
            "JobSubmitted",
            "'jobid':'" + ID + "','jobName':'sort','userName':'eve','submitTime':5")
        + event("JOB_INITED", "JobInited", "'totalMaps':3,'uberized':false")
        + map(0, "a1,b1", "a1", 1 << 20)
        + map(1, "a1,b1", "a2", 3 << 20)
        + map(2, "a1", "c1", 4 << 20);
  }

  private Path history(String text) throws IOException {
    return Files.writeString(temporary.resolve(ID + "-5-eve-sort-9.jhist"), text);
  }

  private Path finished() throws IOException {
    return history(unfinished() + event("JOB_FINISHED", "JobFinished", "'finishTime':9"));
  }

  private Path topology() throws IOException {
    return Files.writeString(
        temporary.resolve("hosts"), "a1 /r1/n1\na2 /r1/n1\nb1 /r1/n2\nc1 /r2/n3\n");
  }

  @Test
  void text_finishedJob_isATable() throws IOException {
    assertThat(evenkeel.run("locality", finished(), "--topology", topology())).isZero();
    assertThat(evenkeel.out())
        .startsWith(ID + " 'sort' of eve: SUCCEEDED, 3 map tasks succeeded\n")
        .containsPattern("same VM +1 +33.3% +1 MiB +12.5% +1.5 s\n")
        .containsPattern("same host +1 +33.3% +3 MiB +37.5% +1.5 s\n")
        .containsPattern("same rack +0 +0.0% ")
        .containsPattern("off rack +1 +33.3% +4 MiB +50.0% ")
        .contains("\nFinding (no-job-conf): ", "\nFinding (one-replica): 1 tasks")
        .doesNotContain("rack-delay");
    assertThat(evenkeel.err()).isEmpty();
  }

  @Test
  void json_withSettings_namesThem() throws IOException {
    Path conf = Files.createDirectory(temporary.resolve("conf"));
    Files.writeString(
        conf.resolve("capacity-scheduler.xml"),
        "<configuration><property><name>yarn.scheduler.capacity.node-locality-delay</name>"
            + "<value>0</value></property></configuration>");
    Files.writeString(
        temporary.resolve(ID + "_conf.xml"),
        "<configuration><property><name>mapreduce.job.max.split.locations</name>"
            + "<value>2</value></property></configuration>");
    evenkeel.environment("HADOOP_CONF_DIR", conf.toString());
    assertThat(evenkeel.run("locality", finished(), "--topology", topology(), "--json")).isZero();
    Map<?, ?> json = (Map<?, ?>) Json.parse(evenkeel.out());
    assertThat(json.get("schema")).isEqualTo("evenkeel.locality/2");
    assertThat(json.get("exitCode")).isEqualTo(0L);
    Map<?, ?> places = (Map<?, ?>) json.get("places");
    assertThat(((Map<?, ?>) places.get("same-vm")).get("taskSeconds")).isEqualTo(1.5);
    assertThat(((Map<?, ?>) places.get("off-rack")).get("hdfsBytesRead")).isEqualTo(4L << 20);
    assertThat(json.get("findings").toString())
        .contains("kind=locations-cut", "kind=rack-delay", "kind=node-delay")
        .doesNotContain("no-job-conf");
  }

  @Test
  void schedulersFileNotThere_nothingIsSaidOfIt() throws IOException {
    Path conf = Files.createDirectory(temporary.resolve("gateway"));
    Files.writeString(conf.resolve("yarn-site.xml"), "<configuration/>");
    assertThat(evenkeel.run("locality", finished(), "--topology", topology(), "--conf", conf))
        .isZero();
    assertThat(evenkeel.out()).doesNotContain("rack-delay");
  }

  @Test
  void unfinishedJob_isPartial() throws IOException {
    assertThat(evenkeel.run("locality", history(unfinished()))).isEqualTo(2);
    assertThat(evenkeel.out())
        .contains("not finished", "Finding (incomplete): ", "Finding (no-racks): ");
  }

  @Test
  void jobWithoutMaps_isNothingToDo() throws IOException {
    Path file = history("Avro-Json\n{}\n" + event("JOB_FINISHED", "JobFinished", "'finishTime':9"));
    assertThat(evenkeel.run("locality", file)).isEqualTo(3);
    assertThat(evenkeel.out()).contains("0 map tasks");
  }

  @Test
  void otherFile_isRefused() throws IOException {
    Path file = history("something else");
    assertThat(evenkeel.run("locality", file)).isEqualTo(1);
    assertThat(evenkeel.err()).contains(file + " is no job history");
  }

  @Test
  void missingFile_isNoSuchPath() {
    assertThat(evenkeel.run("locality", temporary.resolve("x.jhist"))).isEqualTo(4);
    assertThat(evenkeel.err()).contains("x.jhist: no such file");
    assertThat(new EvenkeelRunner().run("locality", temporary)).isEqualTo(4);
    assertThat(new EvenkeelRunner().run("locality", "x", "--conf", "/no/such")).isEqualTo(4);
  }

  @Test
  void damagedConfiguration_isToldByName() throws IOException {
    Files.writeString(temporary.resolve(ID + "_conf.xml"), "<configuration>");
    assertThat(evenkeel.run("locality", finished())).isEqualTo(1);
    assertThat(evenkeel.err()).contains(ID + "_conf.xml cannot be read");
  }
}
