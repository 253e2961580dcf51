/** Configures Logback: text or JSON lines on standard error. */
@NullMarked
package dev.gavel.cli.log;

import org.jspecify.annotations.NullMarked;
