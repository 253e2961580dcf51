/**
 * An immutable JSON value that keeps its original text, so that unchanged parts are forwarded and shown exactly as
 * received.
 */
@NullMarked
package dev.gavel.mcpx.json;

import org.jspecify.annotations.NullMarked;
