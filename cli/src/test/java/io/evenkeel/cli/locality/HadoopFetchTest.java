package io.evenkeel.cli.locality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.cli.tools.InstalledHadoop;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a job id becomes a file, with a script in place of an installed Hadoop. */
class HadoopFetchTest {
  private static final String ID = "job_1700000000000_0007";
  private static final String NOTHING =
      "Avro-Json\\n{}\\n{\"type\":\"JOB_KILLED\",\"event\":{}}\\n";

  @TempDir private Path temporary;

  private HadoopFetch fetch(boolean here, String script) throws Exception {
    Path bin = Files.createDirectories(temporary.resolve("hadoop with blanks/bin"));
    Path command = Files.writeString(bin.resolve("hadoop"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path lib = Files.createDirectories(temporary.resolve("home/lib"));
    Files.writeString(lib.resolve("evenkeel-terasort-tools-1.jar"), "");
    Map<String, String> properties =
        Map.of(
            "evenkeel.hadoop.home", bin.getParent().toString(),
            "evenkeel.home", lib.getParent().toString());
    return new HadoopFetch(hadoop(properties), () -> here);
  }

  private static InstalledHadoop hadoop(Map<String, String> settings) {
    return new InstalledHadoop(HadoopFetchTest.class.getClassLoader(), settings::get);
  }

  @Test
  void installedHadoop_copiesAndIsRead() throws Exception {
    String log = temporary.resolve("arguments").toString();
    HadoopFetch fetch =
        fetch(
            false, "echo \"$1|$3|$4\" > " + log + "; printf '" + NOTHING + "' > \"$5/job.jhist\"");
    JobFiles files = JobFiles.read(ID, fetch);
    assertThat(files.history().attempts()).isEmpty();
    assertThat(files.conf()).isNull();
    assertThat(Files.readString(Path.of(log)))
        .isEqualTo("jar|io.evenkeel.terasort.locality.FetchHistory|" + ID + "\n");
  }

  @Test
  void installedHadoop_fails_endsWithItsCode() throws Exception {
    HadoopFetch fetch = fetch(false, "exit 4");
    assertThatThrownBy(() -> JobFiles.read("hdfs://nn/x.jhist", fetch))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.NO_SUCH_PATH))
        .hasMessageContaining("hdfs://nn/x.jhist was not fetched");
  }

  @Test
  void noHadoop_saysHowToGetTheFile() {
    HadoopFetch fetch = new HadoopFetch(hadoop(Map.of()), () -> false);
    assertThatThrownBy(() -> JobFiles.read(ID, fetch))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.COULD_NOT_RUN))
        .hasMessageContaining("mapred evenkeel locality")
        .hasMessageContaining("mapreduce.jobhistory.done-dir");
  }

  @Test
  void hadoopOnTheClassPath_isAskedInThisJvm() throws Exception {
    Path missing = temporary.resolve("missing.jhist");
    HadoopFetch fetch = fetch(true, "exit 7");
    assertThatThrownBy(() -> JobFiles.read("viewfs://none" + missing, fetch))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.exitCode()).isEqualTo(ExitCode.COULD_NOT_RUN));
  }
}
