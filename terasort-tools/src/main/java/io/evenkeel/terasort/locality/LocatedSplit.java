package io.evenkeel.terasort.locality;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * A split of any class that is {@link Writable}, with other hosts to run on.
 *
 * <p>As with stock's own splits the hosts are for the client that submits the job and are not
 * written. Not thread-safe.
 */
public final class LocatedSplit extends InputSplit implements Writable, Configurable {
  private Configuration conf;
  private InputSplit inner;
  private String[] hosts = new String[0];

  /** For {@link #readFields}. */
  public LocatedSplit() {}

  /**
   * Creates it.
   *
   * @throws IllegalArgumentException when the split is not Writable
   */
  public LocatedSplit(InputSplit inner, String... hosts) {
    if (!(inner instanceof Writable)) {
      throw new IllegalArgumentException(inner.getClass().getName() + " is not Writable");
    }
    this.inner = inner;
    this.hosts = Objects.requireNonNull(hosts).clone();
  }

  /** The split itself, which its own record reader wants. */
  public InputSplit inner() {
    return inner;
  }

  @Override
  public long getLength() throws IOException, InterruptedException {
    return inner.getLength();
  }

  @Override
  public String[] getLocations() {
    return hosts.clone();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Text.writeString(out, inner.getClass().getName());
    ((Writable) inner).write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    String name = Text.readString(in);
    Configuration loader = conf == null ? new Configuration(false) : conf;
    Object made;
    try {
      made = ReflectionUtils.newInstance(loader.getClassByName(name), conf);
    } catch (ClassNotFoundException e) {
      throw new IOException("the class of a split, " + name + ", is not on the class path", e);
    }
    if (!(made instanceof InputSplit) || !(made instanceof Writable)) {
      throw new IOException(name + " is not a split that is Writable");
    }
    ((Writable) made).readFields(in);
    inner = (InputSplit) made;
  }

  @Override
  public void setConf(Configuration newConf) {
    conf = newConf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public String toString() {
    return String.valueOf(inner);
  }
}
