package io.evenkeel.bench.tera;

import java.util.List;
import java.util.Locale;

/**
 * One validation by YARN.
 *
 * @param size bytes of the data set
 * @param read bytes all its tasks read from DataNodes, checksums included
 * @param remote those of them that came from another host
 * @param maps map tasks
 * @param beside map tasks that YARN ran on a VM their split names
 * @param seconds elapsed
 */
record RemoteRun(
    Arm arm, long size, double read, double remote, long maps, long beside, double seconds) {

  /** Who validates. */
  enum Arm {
    /** Stock as it is without a setting. */
    TERA_SCHEDULER("TeraScheduler"),
    /** Stock whose splits name the hosts that HDFS names. */
    NO_TERA_SCHEDULER("without TeraScheduler"),
    /** Ours. */
    EVENKEEL("Evenkeel");

    private final String words;

    Arm(String words) {
      this.words = words;
    }

    /** As a report names it. */
    String words() {
      return words;
    }
  }

  /** Of all bytes that several runs read, those from another host, in percent. */
  static double percent(List<RemoteRun> runs) {
    double all = runs.stream().mapToDouble(RemoteRun::read).sum();
    return 100 * runs.stream().mapToDouble(RemoteRun::remote).sum() / all;
  }

  /** As one line. */
  String line() {
    return String.join(
        " ",
        arm.name(),
        String.valueOf(size),
        String.valueOf(read),
        String.valueOf(remote),
        String.valueOf(maps),
        String.valueOf(beside),
        String.valueOf(seconds));
  }

  /** Reads what {@link #line} wrote. */
  static RemoteRun parse(String line) {
    String[] words = line.split(" ");
    return new RemoteRun(
        Arm.valueOf(words[0]),
        Long.parseLong(words[1]),
        Double.parseDouble(words[2]),
        Double.parseDouble(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]),
        Double.parseDouble(words[6]));
  }

  /** In words, for who waits. */
  String progress() {
    return String.format(
        Locale.ROOT,
        "%s: %.2f %% from another host, %d of %d map tasks on a VM they name, %.1f s",
        arm.words,
        percent(List.of(this)),
        beside,
        maps,
        seconds);
  }
}
