/**
 * Parses process files (YAML) into process definitions and validates them, or reports every problem as file, line and
 * cause. Does no I/O.
 */
@NullMarked
package dev.gavel.lifecycle.parser;

import org.jspecify.annotations.NullMarked;
