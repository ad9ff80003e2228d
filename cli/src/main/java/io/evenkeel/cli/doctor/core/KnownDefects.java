package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Defects of Hadoop's releases that touch a cluster like this one. Each was seen with the classes
 * of a release it names, not only read of; releases between were not all tried, and a vendor may
 * have mended it, which is why each is possible only. Apart from {@link Doctor} as the one place
 * where a defect is added, a row of {@link #ALL}. Stateless.
 */
final class KnownDefects {
  private static final String OPEN = "99";
  private static final String DATASET = "dfs.datanode.fsdataset.factory";
  private static final String VOLUMES = "dfs.datanode.fsdataset.volume.choosing.policy";

  private static final List<Defect> ALL = new ArrayList<>();

  static {
    ALL.add(
        new Defect("HDFS-9608", "0", "2.10.0")
            .unlessOurs(VOLUMES)
            .touches("DataNodes with several volumes", KnownDefects::severalVolumes)
            .harm("Where volumes have several storage types, some of them never get a block.")
            .stock("Upgrade to 2.10 or later.")
            .evenkeel("volume-policy, also for 2.7 and 2.10."));
    ALL.add(
        new Defect("HDFS-9668, HDFS-15382", "0", "3.4.0")
            .unlessOurs(DATASET)
            .touches("DataNodes with several volumes", KnownDefects::severalVolumes)
            .harm("One lock for all volumes: while one disk hangs, nobody writes to any of them.")
            .stock("Upgrade to 3.4 or later, where each volume has a lock.")
            .evenkeel("datanode-locking, from 3.4 on."));
    ALL.add(
        new Defect("HDFS-16819", "3.4.0", OPEN)
            .unlessOurs(DATASET)
            .touches("DataNodes with several volumes", KnownDefects::severalVolumes)
            .harm(
                "While one disk hangs, a block that comes from another DataNode, or on 3.4 a"
                    + " deletion, stops reads and writes on all volumes.")
            .stock("Replace a disk that hangs at once; dfs.datanode.lock.fair does not help.")
            .evenkeel(
                "datanode-locking: dfs.datanode.fsdataset.factory ="
                    + " io.evenkeel.locking.FineGrainedDatasetFactory."));
    ALL.add(
        new Defect("HDFS-17936, HDFS-17681", "3.3.6", OPEN)
            .touches(
                "slow disks are excluded, and DataNodes have several storage types",
                c -> set(c, "dfs.datanode.max.slowdisks.to.exclude") && severalTypes(c))
            .harm(
                "All types are judged together, so healthy hard disks beside SSDs count as slow;"
                    + " with all volumes of a type excluded its writes fail.")
            .stock("Set dfs.datanode.max.slowdisks.to.exclude to 0.")
            .evenkeel(
                "volume-policy judges each type by itself and never ejects the last volume."));
    ALL.add(
        new Defect("HDFS-16867", "3.4.0", OPEN)
            .touches("a cluster with several storage types", KnownDefects::severalTiers)
            .harm("'hdfs mover' ends with an error after its first round (255); run it again.")
            .stock("Repeat it until it moves nothing.")
            .evenkeel("mover: 'evenkeel mover PATH'."));
    ALL.add(
        new Defect("HDFS-16485", "3.4.0", OPEN)
            .touches(
                "the satisfier",
                c -> "external".equals(c.conf("dfs.storage.policy.satisfier.mode")))
            .harm("What the satisfier was asked for is lost when it restarts.")
            .stock("Ask again after a restart, for files and not for directories.")
            .evenkeel("mover keeps a journal and goes on where it was."));
    ALL.add(
        new Defect("HDFS-17599", "3.4.0", "3.5.0")
            .touches(
                "DataNodes in maintenance",
                c -> !c.last().nodes("EnteringMaintenanceNodes").isEmpty())
            .harm("'hdfs mover' may take the wrong internal block of an erasure-coded file.")
            .stock("Do not run it while DataNodes are in maintenance.")
            .evenkeel("mover finds internal blocks by their own index."));
  }

  private KnownDefects() {}

  /** A row. Not changed once it is in the table. */
  private static final class Defect {
    private final String issue;
    private final String from;
    private final String until;
    private String curedBy = "";
    private String condition;
    private Predicate<ClusterHistory> touched;
    private String harm;
    private String stock;
    private String evenkeel;

    Defect(String issue, String from, String until) {
      this.issue = issue;
      this.from = from;
      this.until = until;
    }

    /** Not where this key names a class of ours. */
    Defect unlessOurs(String key) {
      curedBy = key;
      return this;
    }

    Defect touches(String words, Predicate<ClusterHistory> when) {
      condition = words;
      touched = when;
      return this;
    }

    Defect harm(String text) {
      harm = text;
      return this;
    }

    Defect stock(String text) {
      stock = text;
      return this;
    }

    Defect evenkeel(String text) {
      evenkeel = text;
      return this;
    }

    boolean isIn(String version) {
      return Release.atLeast(version, from) && !Release.atLeast(version, until);
    }

    Diagnosis found(String version) {
      return new Diagnosis.Builder(Kind.KNOWN_DEFECT, Certainty.POSSIBLE, issue)
          .evidence(
              "Hadoop "
                  + version
                  + ", "
                  + condition
                  + (until.equals(OPEN) ? "; not mended up to 3.5.0" : "; mended in " + until))
          .harm(harm)
          .stock(stock)
          .evenkeel(evenkeel)
          .build();
    }
  }

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    String version = cluster.last().version();
    for (Defect defect : ALL) {
      boolean cured = cluster.conf(defect.curedBy).startsWith("io.evenkeel.");
      if (!version.isEmpty() && !cured && defect.isIn(version) && defect.touched.test(cluster)) {
        found.add(defect.found(version));
      }
    }
    return found;
  }

  private static boolean set(ClusterHistory cluster, String key) {
    return cluster.conf(key).matches("[1-9][0-9]*");
  }

  private static boolean severalTiers(ClusterHistory cluster) {
    return cluster.last().tiers().size() > 1;
  }

  private static boolean severalVolumes(ClusterHistory cluster) {
    return any(cluster, reading -> reading.volumes().size() > 1);
  }

  private static boolean severalTypes(ClusterHistory cluster) {
    return any(
        cluster,
        reading -> {
          TreeSet<String> types = new TreeSet<>();
          reading.volumes().forEach(volume -> types.add(volume.type()));
          return types.size() > 1;
        });
  }

  private static boolean any(ClusterHistory cluster, Predicate<Reading> condition) {
    for (DataNodeHistory each : cluster.dataNodes()) {
      if (each.last() != null && condition.test(each.last())) {
        return true;
      }
    }
    return false;
  }

  /** Compares releases by their numbers; what a vendor adds to them does not count. */
  private static final class Release {
    private static final int NUMBERS = 3;
    private static final int DIGITS = 9;

    private Release() {}

    static boolean atLeast(String version, String other) {
      for (int i = 0; i < NUMBERS; i++) {
        if (number(version, i) != number(other, i)) {
          return number(version, i) > number(other, i);
        }
      }
      return true;
    }

    private static int number(String version, int place) {
      String[] parts = version.split("[^0-9]+");
      if (place >= parts.length || parts[place].isEmpty()) {
        return 0;
      }
      // what is longer is no number of a release, but perhaps the date of a build
      return parts[place].length() > DIGITS ? Integer.MAX_VALUE : Integer.parseInt(parts[place]);
    }
  }
}
