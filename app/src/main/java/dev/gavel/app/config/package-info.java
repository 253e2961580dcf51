/**
 * The configuration: what {@code gavel.yaml} and the environment say, read into records, with every mistake found at
 * once and named by {@code file:line}.
 */
@NullMarked
package dev.gavel.app.config;

import org.jspecify.annotations.NullMarked;
