/** Reads {@code gavel.yaml} and the environment into records, and reports every mistake with {@code file:line}. */
@NullMarked
package dev.gavel.app.config;

import org.jspecify.annotations.NullMarked;
