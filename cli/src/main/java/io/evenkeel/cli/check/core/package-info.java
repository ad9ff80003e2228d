/** What is wrong with a configuration and the class path it meets. Pure. */
package io.evenkeel.cli.check.core;
