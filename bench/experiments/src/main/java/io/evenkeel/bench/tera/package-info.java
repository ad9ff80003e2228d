/**
 * Experiments on the validation of TeraSort's output: stock's real input format, record reader and
 * mapper against ours, each run as a task would run it.
 */
package io.evenkeel.bench.tera;
