/** Parses YAML text with source positions, so that every reported problem names file, line and cause. Does no I/O. */
@NullMarked
package dev.gavel.yaml;

import org.jspecify.annotations.NullMarked;
