/**
 * What a finished validation looked like: its verdict, partitions and tasks, as figures, JSON and a
 * page. Pure; reads the lines of JSON that stand in the report directory.
 */
package io.evenkeel.terasort.core.report;
