/**
 * Topics: who is in one, what they may send there, and who is sent it. An envelope goes one way: a {@link
 * dev.gavel.gateway.Connection} takes its bytes, {@link dev.gavel.gateway.Admission} decides whether it may pass, the
 * {@link dev.gavel.gateway.Topic} routes it, and {@link dev.gavel.gateway.delivery.Delivery} writes it. A topic lives on
 * one event loop and has no lock.
 */
@NullMarked
package dev.gavel.gateway;

import org.jspecify.annotations.NullMarked;
