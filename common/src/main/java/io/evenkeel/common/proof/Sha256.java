package io.evenkeel.common.proof;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, in hexadecimal digits. Stateless. */
final class Sha256 {
  private Sha256() {}

  static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }

  static String end(MessageDigest digest) {
    StringBuilder hex = new StringBuilder();
    for (byte each : digest.digest()) {
      hex.append(String.format("%02x", each));
    }
    return hex.toString();
  }
}
