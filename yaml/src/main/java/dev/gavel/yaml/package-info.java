/**
 * YAML with positions: reading a file that a person wrote, so that every complaint says {@code file:line: what is
 * wrong}. {@link dev.gavel.yaml.Yaml} reads text into nodes, {@link dev.gavel.yaml.Fields} takes a mapping apart key by
 * key, {@link dev.gavel.yaml.Problems} collects what was wrong. Does no I/O.
 */
@NullMarked
package dev.gavel.yaml;

import org.jspecify.annotations.NullMarked;
