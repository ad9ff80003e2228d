package io.evenkeel.bench.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;

/**
 * Makes Hadoop's outgoing calls leave from the loopback address of a simulated host: the one in the
 * configuration key {@link #ADDRESS}, else in the system property of that name, else any.
 *
 * <p>The NameNode takes the address of a DataNode and of a writer from their connection, the
 * DataNodes' client trace that of a reader, and Linux gives every loopback connection the source
 * 127.0.0.1. Without this all hosts would be one machine. Apart from what sets the keys because
 * daemons and tasks load it by name, and nothing else of ours.
 *
 * <p>Equal by address, since Hadoop caches connections by factory. Immutable once configured.
 */
public final class LoopbackSocketFactory extends SocketFactory implements Configurable {
  /** Name of the key and of the system property. */
  public static final String ADDRESS = "evenkeel.bench.address";

  private Configuration conf;
  private String address = System.getProperty(ADDRESS, "");

  @Override
  public Socket createSocket() throws IOException {
    SocketChannel channel = SocketChannel.open(); // Hadoop's timeouts need a channel
    if (!address.isEmpty()) {
      channel.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
    }
    return channel.socket();
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
  public void setConf(Configuration newConf) {
    conf = newConf;
    address = newConf == null ? address : newConf.get(ADDRESS, address);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoopbackSocketFactory
        && ((LoopbackSocketFactory) other).address.equals(address);
  }

  @Override
  public int hashCode() {
    return address.hashCode();
  }
}
