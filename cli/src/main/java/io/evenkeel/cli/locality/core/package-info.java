/** What {@code evenkeel locality} prints. */
package io.evenkeel.cli.locality.core;
