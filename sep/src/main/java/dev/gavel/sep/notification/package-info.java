/**
 * Finds clock actions that are due, and notifies people of SEP events by webhook and Atom feed. The time is an
 * argument.
 */
@NullMarked
package dev.gavel.sep.notification;

import org.jspecify.annotations.NullMarked;
