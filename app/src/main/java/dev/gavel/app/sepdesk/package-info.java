/**
 * The SEP desk as MCP clients meet it, a member of a topic; and what its answers are as text, for them and for the command
 * line.
 */
@NullMarked
package dev.gavel.app.sepdesk;

import org.jspecify.annotations.NullMarked;
