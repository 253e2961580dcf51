/**
 * Envelopes between admission and delivery: who sent one, which recipients its {@code to} resolves to, and the result
 * its sender gets.
 */
@NullMarked
package dev.gavel.gateway.routing;

import org.jspecify.annotations.NullMarked;
