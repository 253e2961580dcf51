/**
 * What waits on somebody: a proposal's card ({@link dev.gavel.console.inbox.Card}), the page of all of them, and the page
 * of one.
 */
@NullMarked
package dev.gavel.console.inbox;

import org.jspecify.annotations.NullMarked;
