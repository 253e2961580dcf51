/**
 * The SEP service over HTTP and as an MCP participant of a topic: converts requests to SEP operations and their results
 * to responses. Also lists the server's identities as the people that the SEP service knows.
 */
@NullMarked
package dev.gavel.web.sep;

import org.jspecify.annotations.NullMarked;
