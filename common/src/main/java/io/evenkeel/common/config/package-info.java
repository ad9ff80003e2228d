/**
 * Configuration keys as values: name, type, default, range, unit and one sentence, declared once.
 *
 * <p>A module lists its keys in one {@link io.evenkeel.common.config.KeyTable}; {@link
 * io.evenkeel.common.config.KeyTable#readOrFail} turns a Hadoop configuration (seen only as entries
 * and a lookup function) into immutable {@link io.evenkeel.common.config.Settings}, or fails naming
 * key, value and allowed range. All classes are immutable and thread-safe.
 */
package io.evenkeel.common.config;
