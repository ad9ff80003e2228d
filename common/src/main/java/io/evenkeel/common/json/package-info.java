/** JSON in and out as plain maps and lists, over a relocated Gson. Stateless. */
package io.evenkeel.common.json;
