/**
 * Envelopes between admission and delivery: the sender of an envelope, the recipients that its {@code to} resolves to,
 * and the result for its sender.
 */
@NullMarked
package dev.gavel.gateway.routing;

import org.jspecify.annotations.NullMarked;
