/** Questions to the web servers of Hadoop's daemons, with limits of time and size. */
package io.evenkeel.common.http;
