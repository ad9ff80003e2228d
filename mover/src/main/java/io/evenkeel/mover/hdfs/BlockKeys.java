package io.evenkeel.mover.hdfs;

import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataEncryptionKeyFactory;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's block keys, and the tokens and encryption keys made of them. Asked for again when
 * one is needed and a quarter of the time between two keys has passed: no thread, and no call while
 * nothing moves. The Balancer's own {@code KeyManager} asks twice at its start. Thread-safe.
 */
final class BlockKeys implements DataEncryptionKeyFactory {
  private static final Logger LOG = LoggerFactory.getLogger(BlockKeys.class);
  private static final long RETRY_MILLIS = 10_000;

  private final HdfsConnection.Call<ExportedBlockKeys> source;
  private final boolean encrypted;
  private final BlockTokenSecretManager tokens;
  private final long interval;

  /** Held while keys are fetched; taken before the lock of this object, never after it. */
  private final Lock fetching = new ReentrantLock();

  /** When the keys are old; written by who holds {@link #fetching}, read without it. */
  private volatile long due;

  // both guarded by this
  private int generation;
  private DataEncryptionKey encryptionKey;

  /**
   * Fetches the keys.
   *
   * @param encrypted whether the DataNodes expect encrypted transfers; asked when there are tokens
   */
  BlockKeys(
      HdfsConnection.Call<ExportedBlockKeys> source,
      String blockPool,
      HdfsConnection.Call<Boolean> encrypted,
      Configuration conf)
      throws IOException {
    this.source = source;
    ExportedBlockKeys keys = source.run();
    this.interval = keys.getKeyUpdateInterval() / 4;
    this.encrypted = keys.isBlockTokenEnabled() && encrypted.run();
    this.due = Time.monotonicNow() + interval;
    if (keys.isBlockTokenEnabled()) {
      tokens =
          new BlockTokenSecretManager(
              keys.getKeyUpdateInterval(),
              keys.getTokenLifetime(),
              blockPool,
              conf.get(DFSConfigKeys.DFS_DATA_ENCRYPTION_ALGORITHM_KEY),
              conf.getBoolean(
                  DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_PROTOBUF_ENABLE,
                  DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_PROTOBUF_ENABLE_DEFAULT));
      tokens.addKeys(keys);
    } else {
      tokens = null;
    }
  }

  /** Whether DataNodes ask for tokens at all; if not, a refusal is not cured by other keys. */
  boolean areUsed() {
    return tokens != null;
  }

  /** A token to put the block on a storage of that type and to copy it from another DataNode. */
  Token<BlockTokenIdentifier> token(ExtendedBlock block, StorageType type) throws IOException {
    if (tokens == null) {
      return BlockTokenSecretManager.DUMMY_TOKEN;
    }
    refreshIfOld();
    return tokens.generateToken(
        null,
        block,
        EnumSet.of(BlockTokenIdentifier.AccessMode.REPLACE, BlockTokenIdentifier.AccessMode.COPY),
        new StorageType[] {type},
        new String[0]);
  }

  @Override
  public DataEncryptionKey newDataEncryptionKey() throws IOException {
    if (!encrypted || tokens == null) {
      return null;
    }
    refreshIfOld();
    return encryptionKey();
  }

  private synchronized DataEncryptionKey encryptionKey() {
    if (encryptionKey == null || encryptionKey.expiryDate < Time.now()) {
      encryptionKey = tokens.generateDataEncryptionKey();
    }
    return encryptionKey;
  }

  /** How often the keys were fetched; to be told to {@link #refresh}. */
  synchronized int generation() {
    return generation;
  }

  /**
   * Fetches the keys again, after a DataNode refused what was made of these; not when another
   * thread has done so in the meantime, for which it waits.
   */
  void refresh(int refused) throws IOException {
    fetching.lock();
    try {
      fetch(refused);
    } finally {
      fetching.unlock();
    }
  }

  private void fetch(int refused) throws IOException {
    if (tokens == null || refused != generation()) {
      return;
    }
    ExportedBlockKeys keys = source.run(); // may take seconds: others go on with the old ones
    tokens.addKeys(keys);
    synchronized (this) {
      generation++;
      encryptionKey = null;
      due = Time.monotonicNow() + interval;
    }
  }

  private void refreshIfOld() {
    if (Time.monotonicNow() - due < 0 || !fetching.tryLock()) {
      return;
    }
    try {
      fetch(generation());
    } catch (IOException e) {
      due = Time.monotonicNow() + Math.min(interval, RETRY_MILLIS);
      LOG.warn("Block keys could not be refreshed; the old ones stay in use: {}", e.toString());
    } finally {
      fetching.unlock();
    }
  }
}
