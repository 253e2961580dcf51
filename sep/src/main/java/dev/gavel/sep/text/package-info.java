/** Formats results of the SEP service as plain text, the same for the command line and for MCP clients. */
@NullMarked
package dev.gavel.sep.text;

import org.jspecify.annotations.NullMarked;
