/**
 * The desk that proposals are brought to: {@link dev.gavel.sep.desk.Desk} is the one way in, whether somebody comes by
 * command line, HTTP or MCP.
 */
@NullMarked
package dev.gavel.sep.desk;

import org.jspecify.annotations.NullMarked;
