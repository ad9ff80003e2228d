package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Free ports below those a system gives to clients, so that nobody takes one while the server that
 * has it restarts. Not thread-safe.
 */
final class Ports {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;

  private int next = FIRST + (int) (System.nanoTime() / 1000 % (LAST - FIRST));

  int next() throws IOException {
    IOException last = null;
    for (int tries = 0; tries < LAST - FIRST; tries++) {
      next = next == LAST ? FIRST : next + 1;
      try (ServerSocket socket = new ServerSocket(next, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        last = e; // taken
      }
    }
    throw last;
  }
}
