/**
 * Checks every module's tests share: links to Hadoop, architecture rules, documentation of keys and
 * the contents of deployed jars; and what a class logs.
 *
 * <p>Shipped as the test-jar of common; test scope only, Java 17. Each check is itself seen to fail
 * in a self-test beside it.
 */
package io.evenkeel.common.testing;
