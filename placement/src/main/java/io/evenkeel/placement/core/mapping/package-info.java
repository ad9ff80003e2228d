/**
 * What a site's mapping of hosts to network locations is worth: reading locations, judging them,
 * and mending what cannot be used.
 *
 * <p>Nothing here resolves a name or reads a file: hosts and what the site said come in as text.
 */
package io.evenkeel.placement.core.mapping;
