/** Hands commands on to tools of the plugin jars, which need Hadoop. */
package io.evenkeel.cli.tools;
