package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds loopback addresses and free ports. Not thread-safe; one instance plans one cluster and
 * never gives the same port of an address twice.
 */
final class Addresses {
  static final String LOCALHOST = "127.0.0.1";

  /** All addresses of the machine; such a port must be free on each. */
  static final String ANY = "0.0.0.0";

  // Below the range that systems take client ports from, so that a revived daemon finds its own
  // port free.
  static final int FIRST = 20_000;
  static final int LAST = 32_000;

  private final Set<String> given = new HashSet<>();
  private final int first; // 0 where preferred ports may be given

  /** True where each VM can have a loopback address of its own, as on Linux. */
  static boolean ownAddresses(List<Layout.Vm> vms) {
    return vms.stream().allMatch(vm -> free(vm.address(), 0));
  }

  /** Gives preferred ports where they are free. */
  Addresses() {
    this(0);
  }

  /**
   * Gives no preferred ports, but free ones from here on.
   *
   * @param first 20000 to 31999; 0 for preferred ones all the same
   */
  Addresses(int first) {
    this.first = first;
  }

  /** The preferred port if it may be given and is free, else the first free one. */
  int port(String address, int preferred) {
    if (first == 0 && take(address, preferred)) {
      return preferred;
    }
    for (int port = Math.max(first, FIRST); port < LAST; port++) {
      if (take(address, port)) {
        return port;
      }
    }
    throw new CommandException(
        ExitCode.COULD_NOT_RUN,
        "no free port between " + Math.max(first, FIRST) + " and " + LAST + " on " + address);
  }

  /** True when something accepts connections there. */
  static boolean answers(String address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean take(String address, int port) {
    boolean ours =
        given.contains(address + ":" + port)
            || given.contains(ANY + ":" + port)
            || (address.equals(ANY) && given.stream().anyMatch(g -> g.endsWith(":" + port)));
    return !ours && free(address, port) && given.add(address + ":" + port);
  }

  private static boolean free(String address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // as Hadoop's servers do: a closed connection is no obstacle
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
