package io.evenkeel.volume.signal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Number of the device a file is on, as Linux writes it: {@code 8:16}. Stateless. */
final class DeviceNumber {
  private DeviceNumber() {}

  /**
   * The device {@code path} is on. Blocks for as long as the file system does.
   *
   * @throws IOException when the path cannot be asked
   * @throws UnsupportedOperationException on a system without device numbers
   */
  static String of(Path path) throws IOException {
    return decode(((Number) Files.getAttribute(path, "unix:dev")).longValue());
  }

  /** Splits a dev_t of Linux: 12 low and 20 high bits of major, 8 low and 24 high bits of minor. */
  static String decode(long dev) {
    long major = (dev >>> 8 & 0xfff) | (dev >>> 32 & 0xfffff000L);
    long minor = (dev & 0xff) | (dev >>> 12 & 0xffffff00L);
    return major + ":" + minor;
  }
}
