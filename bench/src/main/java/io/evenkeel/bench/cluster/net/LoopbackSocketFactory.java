package io.evenkeel.bench.cluster.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import javax.net.SocketFactory;

/**
 * Makes outgoing calls from the address in the system property {@code evenkeel.cluster.address}.
 *
 * <p>The NameNode takes a DataNode's address from the connection it registers by, and Linux gives
 * every loopback connection the source 127.0.0.1. Without this all DataNodes would be one machine
 * to the NameNode. Immutable and thread-safe; all instances are equal, since Hadoop caches
 * connections by factory.
 */
public final class LoopbackSocketFactory extends SocketFactory {
  private static final String PROPERTY = "evenkeel.cluster.address";

  @Override
  public Socket createSocket() throws IOException {
    Socket socket = SocketChannel.open().socket(); // Hadoop's timeouts need a channel
    String address = System.getProperty(PROPERTY);
    if (address != null) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
    }
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  private Socket connected(InetSocketAddress target) throws IOException {
    Socket socket = createSocket();
    try {
      socket.connect(target);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoopbackSocketFactory;
  }

  @Override
  public int hashCode() {
    return LoopbackSocketFactory.class.hashCode();
  }
}
