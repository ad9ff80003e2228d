/** The one class that a daemon of a real-process cluster loads from this module. */
package io.evenkeel.bench.cluster.net;
