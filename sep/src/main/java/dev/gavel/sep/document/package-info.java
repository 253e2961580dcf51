/**
 * Reads documents in the format of their process: title, preamble fields, sections and links. Lenient: no document is
 * rejected. Pure.
 */
@NullMarked
package dev.gavel.sep.document;

import org.jspecify.annotations.NullMarked;
