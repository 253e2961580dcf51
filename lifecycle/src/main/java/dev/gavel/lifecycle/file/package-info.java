/**
 * Process files: YAML read into a {@link dev.gavel.lifecycle.process.Process}, or complaints that say
 * {@code file:line: what is wrong}. A process that is read is also sound: nobody can get stuck in it. Does no I/O.
 */
@NullMarked
package dev.gavel.lifecycle.file;

import org.jspecify.annotations.NullMarked;
