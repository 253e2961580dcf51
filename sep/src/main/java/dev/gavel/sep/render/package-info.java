/** Renders SEP documents from Markdown to sanitized HTML. Documents are untrusted input. */
@NullMarked
package dev.gavel.sep.render;

import org.jspecify.annotations.NullMarked;
