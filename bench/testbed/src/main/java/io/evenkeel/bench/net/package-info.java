/** The one class that daemons and tasks of a simulated host load from this module. */
package io.evenkeel.bench.net;
