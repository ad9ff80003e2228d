/** Text output that all commands share. Pure. */
package io.evenkeel.cli.core;
