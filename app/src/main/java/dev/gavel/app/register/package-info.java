/**
 * Tokens, roles and members that change at run time. {@link dev.gavel.app.register.Register} is how things stand,
 * {@link dev.gavel.app.register.Rulebook} says what comes of a command, and {@link dev.gavel.app.register.Registrar} makes
 * that durable in the ledger before it takes effect.
 */
@NullMarked
package dev.gavel.app.register;

import org.jspecify.annotations.NullMarked;
