/**
 * What time brings about: {@link dev.gavel.sep.sweep.Sweep} says what clocks are due, {@link
 * dev.gavel.sep.sweep.Notice} is what somebody is told, by {@link dev.gavel.sep.sweep.WebhookSender} and {@link
 * dev.gavel.sep.sweep.Feed}. Time is an argument.
 */
@NullMarked
package dev.gavel.sep.sweep;

import org.jspecify.annotations.NullMarked;
