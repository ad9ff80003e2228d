/**
 * Which task reads which blocks: every block goes to one of its replicas' hosts, evenly, and blocks
 * of one host are packed into one split. Pure and deterministic.
 */
package io.evenkeel.terasort.core.split;
