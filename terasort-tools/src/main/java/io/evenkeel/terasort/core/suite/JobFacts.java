package io.evenkeel.terasort.core.suite;

/** What a finished job's counters tell; a number that is not known is negative. Immutable. */
public final class JobFacts {
  /** Nothing is known. */
  public static final JobFacts NONE = new Builder("").build();

  private final Builder values;

  private JobFacts(Builder values) {
    this.values = values;
  }

  /** The job's id; empty when not known. */
  public String jobId() {
    return values.jobId;
  }

  /** CPU time of all task attempts that succeeded, in milliseconds. */
  public long cpuMillis() {
    return values.cpuMillis;
  }

  /** Map attempts started. */
  public long maps() {
    return values.maps;
  }

  /** Map attempts started on a host of their split. */
  public long dataLocal() {
    return values.dataLocal;
  }

  /** Map attempts started in the rack of their split. */
  public long rackLocal() {
    return values.rackLocal;
  }

  /** TeraGen's sum of CRC32, its low 64 bits; only with {@link #hasChecksum}. */
  public long checksum() {
    return values.checksum;
  }

  /** Whether the job told a checksum. */
  public boolean hasChecksum() {
    return values.hasChecksum;
  }

  /**
   * Input bytes of the maps not read on a host that has them, when the counters tell: what the job
   * counted itself, else none when each attempt ran on a host of its split, all when none did.
   *
   * @param input bytes of the input
   * @return bytes, or negative when not known
   */
  public long remoteBytes(long input) {
    if (values.remoteBytes >= 0) {
      return values.remoteBytes;
    }
    if (values.maps <= 0 || values.dataLocal < 0 || values.dataLocal > values.maps) {
      return -1;
    }
    return values.dataLocal == values.maps ? 0 : values.dataLocal == 0 ? input : -1;
  }

  /** Collects what is known. Not thread-safe. */
  public static final class Builder {
    private final String jobId;
    private long cpuMillis = -1;
    private long maps = -1;
    private long dataLocal = -1;
    private long rackLocal = -1;
    private long remoteBytes = -1;
    private long checksum;
    private boolean hasChecksum;

    /** Begins with all but the id unknown. */
    public Builder(String jobId) {
      this.jobId = jobId;
    }

    /** Sets the CPU time; 0 means that the nodes do not measure it. */
    public Builder cpuMillis(long millis) {
      cpuMillis = millis > 0 ? millis : -1;
      return this;
    }

    /** Sets the map attempts: all, those on a host and those in a rack of their split. */
    public Builder maps(long all, long onHost, long inRack) {
      maps = all;
      dataLocal = onHost;
      rackLocal = inRack;
      return this;
    }

    /** Sets the bytes the job itself counted as read on a host without a replica of them. */
    public Builder remoteBytes(long bytes) {
      remoteBytes = bytes;
      return this;
    }

    /** Sets TeraGen's checksum. */
    public Builder checksum(long low64) {
      checksum = low64;
      hasChecksum = true;
      return this;
    }

    /** Finishes; the builder is not used again. */
    public JobFacts build() {
      return new JobFacts(this);
    }
  }
}
